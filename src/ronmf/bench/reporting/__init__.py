"""Internal room: from rows to tables, figures and the report.

``selection`` says which rows compare, ``summaries`` takes their means and ``intervals`` says how
sure those are. ``tables``, ``level_table``, ``accuracy_tables``, ``printed_tables``, ``met_tables``
and ``same_graph_table`` make tables with the help of ``table_lines``, ``number_texts``,
``captions`` and ``reading_order``; ``named_tables`` finds one by name, ``table_formats`` writes it.
``published`` holds the paper's cells and ``met_cells`` compares them; ``statistics`` and
``pairwise_tests`` compare methods, ``contest`` finds who won and ``verdict`` says it. ``figures``
draws, ``fitted_embeddings`` fits what rows cannot show, ``page`` and ``report`` are all of it in
one file.

These modules import those of ``running``, never the other way round.
"""
