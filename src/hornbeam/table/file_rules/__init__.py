"""Rules that apply to files only: what the cells of a file, its columns and its target mean.

    blanks.py          blanks around a text are removed                        off: keep_blanks=True
    missing_texts.py   texts such as 'k.A.' in a column of numbers             off: keep_default_na=False, a kind
    numbers.py         decimal comma, thousands separators, currency, percent  off: decimal, thousands, a requested kind
    dates.py           dates in any common order, with or without a time       off: a requested kind
    odd_cells.py       a column of numbers with a few other texts              a note, or an error with the cell
    ids.py             columns that look like ids or free text are excluded    off: keep_ids=True, a requested kind
    targets.py         two integers are classes; an id is no target            off: a requested kind

`column.py` applies the rules to one column. Every rule that changes a column adds a note with the setting that switches
it off. A rule decides from all distinct texts of a column; where two readings remain, the other columns of the file
decide, then the model (for new rows), and else the column stays as it is, with a note. Arrays, frames and the rows of
estimators are never changed.
"""
