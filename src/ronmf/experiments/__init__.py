"""The paper's experiments: plans, a resumable runner, tables, figures and a report."""
