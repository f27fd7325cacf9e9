"""Every sign of trouble has a sentence wherever it may be shown."""

import re

import pytest

from ronmf.app.reading_out import _SENTENCES as ON_THE_PAGE
from ronmf.estimators.trouble import SENTENCES
from ronmf.sorting._results import _SENTENCES as ON_THE_COMMAND_LINE


@pytest.mark.parametrize("sentences", [ON_THE_PAGE, ON_THE_COMMAND_LINE], ids=["page", "terminal"])
def test_every_kind_has_a_sentence_of_the_same_numbers(sentences):
    assert sentences.keys() == SENTENCES.keys()
    for kind, sentence in sentences.items():
        known = {"count", "s", "names", *re.findall(r"{(\w+)", SENTENCES[kind])}
        assert set(re.findall(r"{(\w+)", sentence)) <= known
