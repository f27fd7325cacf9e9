"""Internal room: from rows to tables, figures and the report.

``selection`` says which rows compare and ``summaries`` takes their means. ``tables``,
``accuracy_tables``, ``printed_tables`` and ``same_graph_table`` make tables with the help of
``table_lines`` and ``captions``; ``named_tables`` finds one by name, ``table_formats`` writes it.
``published`` holds the paper's cells, ``statistics`` and ``pairwise_tests`` compare methods,
``figures`` draws, ``fitted_embeddings`` fits what rows cannot show, ``report`` is all of it in one
page.

These modules import those of ``running``, never the other way round.
"""
