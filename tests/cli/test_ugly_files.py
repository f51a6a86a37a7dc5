"""Files as people have them: each session reads an ugly file, and every rule that applies is noted with its flag."""

from __future__ import annotations

import pathlib
import re

import pytest

GERMAN = """patient;aufnahme;preis;gewicht;alter;stadt;anteil;ziel
P01;03.04.2020;1.234,50;1.200;45; Wien;12 %;0
P02;14.04.2020;2.034,00;950;k.A.;Graz;13 %;1
P03;15.04.2020;34,10;1.100;51;Wien ;14,5 %;0
P04;16.05.2020;1.000,00;1.050;62;Linz;22 %;1
P05;17.05.2020;12,00;870;33;Wien;31 %;1
P06;18.05.2020;99,00;940;29;Graz;12 %;0
P07;19.06.2020;120,00;1.300;71;Graz;12 %;1
P08;20.06.2020;80,00;990;k.A.;Linz;12 %;0
P09;21.07.2020;70,50;1.010;55;Wien;9 %;1
P10;22.07.2020;60,00;1.000;48;Graz;8 %;0
P11;23.07.2020;60,00;1.000;48;Graz;8 %;0
P12;24.07.2020;60,00;1.000;48;Graz;8 %;1
"""


def written(text: str, name: str = "ugly.csv", encoding: str = "utf-8") -> str:
    pathlib.Path(name).write_bytes(text.encode(encoding))
    return name


def columns(ran) -> dict[str, dict]:
    assert ran.code == 0, ran.err
    return {each["name"]: each for each in ran.json["columns"]}


def inspected(run, text: str, *flags: str) -> dict[str, dict]:
    return columns(run("inspect", written(text), "--json", *flags))


def table_of(cells: list[str], name: str = "a") -> str:
    """A file with one column of cells and a column of two levels."""
    return f"{name};b\n" + "".join(f"{cell};{'xy'[row % 2]}\n" for row, cell in enumerate(cells))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_a_german_export_is_read_as_its_author_meant_it(run, encoding):
    path = written(GERMAN.replace("Linz", "Köln"), encoding=encoding)
    found = columns(run("inspect", path, "--target", "ziel", "--json"))
    assert (found["preis"]["low"], found["preis"]["high"]) == (12, 2034)
    assert (found["gewicht"]["low"], found["gewicht"]["high"]) == (870, 1300)
    assert (found["anteil"]["low"], found["anteil"]["high"]) == (8, 31)
    assert found["aufnahme"]["values"] == "2020-04-03 to 2020-07-24"
    assert found["alter"]["n_missing"] == 2
    assert found["stadt"]["values"] == "Graz, Köln, Wien"
    assert found["ziel"]["values"] == "0, 1"
    assert "patient" not in found


def test_inspect_names_the_flag_that_switches_off_each_rule(run):
    out = run("inspect", written(GERMAN, encoding="cp1252"), "--target", "ziel").out
    for note in (
        "aufnahme: read as dates (%d.%m.%Y); --kind aufnahme=nominal keeps the text",
        "preis: dots separate thousands ('1.000,00' is 1000), written with a decimal comma; --kind preis=nominal",
        "gewicht: dots separate thousands ('1.000' is 1000); --thousands '' reads a decimal point",
        "alter: read as missing: 2 x 'k.A.'; --kind alter=nominal keeps them as levels",
        "stadt: blanks around 2 cells removed; --keep-blanks keeps them",
        "anteil: written with a decimal comma, the sign '%' is removed; --kind anteil=nominal keeps the text",
        "ziel: the integers 0 and 1 are two classes; --kind ziel=numeric predicts a number",
        "column 'patient' is excluded: it looks like an id (12 different values in 12 rows); --keep-ids keeps it",
    ):
        assert note in out


def test_each_rule_can_be_switched_off(run):
    off = ["--keep-blanks", "--keep-ids", "--thousands", "", "--decimal", ","]
    for name in ("aufnahme", "anteil"):
        off += ["--kind", f"{name}=nominal"]
    found = inspected(run, GERMAN, "--target", "ziel", "--kind", "ziel=numeric", "--no-default-na", *off)
    assert found["patient"]["kind"] == "nominal"
    assert found["aufnahme"]["kind"] == found["anteil"]["kind"] == found["alter"]["kind"] == "nominal"
    assert found["preis"]["kind"] == "nominal"  # 1.234,50 has no reading without thousands
    assert found["stadt"]["n_levels"] == 5
    assert found["ziel"]["kind"] == "numeric"


@pytest.mark.parametrize(
    ("cells", "low", "high"),
    [
        (["1.234,5", "2,25", "950"], 2.25, 1234.5),
        (["1,234.5", "2.25", "950"], 2.25, 1234.5),
        (["1.234.567", "5"], 5, 1234567),
        (["1'234.5", "999"], 999, 1234.5),
        (["1 234,5", "-12,5"], -12.5, 1234.5),
        (["0.123", "1.234"], 0.123, 1.234),
        (['"1"', '"2.5"', '"3"'], 1, 2.5 + 0.5),
        (["$1,200.50", "$3.00"], 3, 1200.5),
        (["12,5 €", "1.000,00 €"], 12.5, 1000),
        (["\u22125", "+7"], -5, 7),
    ],
)
def test_numbers_in_every_common_format_are_numbers(run, cells, low, high):
    found = inspected(run, table_of(cells))["a"]
    assert found["kind"] == "numeric"
    assert (found["low"], found["high"]) == (low, high)


def test_a_point_that_could_separate_thousands_is_noted_and_both_readings_have_a_flag(run):
    text = table_of(["1.234", "2.500", "950"])
    found = inspected(run, text)["a"]
    assert found["high"] == 950
    assert found["notes"] == ["'1.234' could be a thousand: read with a decimal point; --thousands . reads thousands"]
    assert inspected(run, text, "--thousands", ".")["a"]["high"] == 2500
    assert inspected(run, text, "--decimal", ".")["a"]["notes"] == []


def test_the_decimal_mark_of_another_column_decides_between_two_readings(run):
    rows = "".join(f"1.{row}00;{row},5;{row}.5\n" for row in range(1, 6))
    comma = inspected(run, "a;c\n" + re.sub(r";[0-9.]+\n", "\n", rows))["a"]
    assert (comma["low"], comma["high"]) == (1100, 1500)
    point = inspected(run, "a;p\n" + re.sub(r";[0-9,]+;", ";", rows))["a"]
    assert (point["low"], point["high"]) == (1.1, 1.5)
    assert point["notes"] == []
    assert "--thousands . reads thousands" in inspected(run, "a;c;p\n" + rows)["a"]["notes"][0]


def test_a_comma_that_could_separate_thousands_is_kept_as_text_with_both_flags(run):
    text = table_of(["1,234", "2,500", "950"])
    found = inspected(run, text)["a"]
    assert found["kind"] == "nominal"
    assert "--decimal , reads a decimal comma, --thousands , reads thousands" in found["notes"][0]
    assert inspected(run, text, "--decimal", ",")["a"]["low"] == 1.234
    assert inspected(run, text, "--thousands", ",")["a"]["high"] == 2500


@pytest.mark.parametrize("word", ["k.A.", "n/a", "N/A", "-", "unknown", "nd", "UNBEKANNT", "#N/A"])
def test_a_word_for_missing_in_a_column_of_numbers_is_missing_and_counted(run, word):
    found = inspected(run, table_of(["1", "2.5", word, "4", word]))["a"]
    assert (found["kind"], found["n_missing"]) == ("numeric", 2)
    if word != "N/A":  # a default text: no rule
        assert found["notes"] == [f"read as missing: 2 x '{word}'; --kind a=nominal keeps them as levels"]


def test_a_word_for_missing_stays_a_level_in_a_column_of_text(run):
    assert inspected(run, table_of(["red", "unknown", "green"]))["a"]["values"] == "green, red, unknown"


def test_other_texts_among_numbers_are_named_with_their_counts_and_the_flag(run):
    found = inspected(run, table_of(["1", "2", "pending", "3", "pending", "4", "5", ">9"]))["a"]
    assert found["kind"] == "nominal"
    assert found["notes"] == [
        "5 of 8 cells are numbers, but 2 x 'pending', 1 x '>9'; kept as text; "
        "--na-value pending --na-value '>9' reads them as missing"
    ]
    flags = ("--na-value", "pending", "--na-value", ">9")
    assert (
        inspected(run, table_of(["1", "2", "pending", "3", "pending", "4", "5", ">9"]), *flags)["a"]["n_missing"] == 3
    )


def test_a_given_text_is_missing_in_addition_to_the_default_texts(run):
    text = table_of(["1", "2", "pending", "3", "NA", "5", "k.A."])
    note = inspected(run, text)["a"]["notes"][-1]
    assert sorted(re.findall(r"--na-value (\S+)", note)) == ["k.A.", "pending"]
    found = inspected(run, text, "--na-value", "pending")["a"]
    assert (found["kind"], found["n_missing"]) == ("numeric", 3)


def test_the_default_texts_can_be_switched_off(run):
    text = table_of(["NA", "DE", "-999", "FR", "DE", "NA"])
    assert inspected(run, text)["a"]["n_missing"] == 2
    assert inspected(run, text, "--na-value", "-999")["a"]["n_missing"] == 3
    assert inspected(run, text, "--no-default-na")["a"]["n_missing"] == 0
    assert inspected(run, text, "--no-default-na", "--na-value", "-999")["a"]["n_missing"] == 1


def test_the_recommended_flag_repeats_the_given_texts_of_the_column(run):
    text = table_of(["1", "2", "pending", "3", "-999", "5", "8", "9"])
    note = inspected(run, text, "--na-value", "-999")["a"]["notes"][-1]
    flags = re.findall(r"--na-value (\S+)", note)
    assert sorted(flags) == ["-999", "pending"]
    found = inspected(run, text, *(part for flag in flags for part in ("--na-value", flag)))["a"]
    assert (found["kind"], found["n_missing"]) == ("numeric", 2)


def test_numbers_in_several_forms_are_kept_as_text_with_a_note(run):
    found = inspected(run, table_of(["12 %", "13", "14 %", "15 %"]))["a"]
    assert found["notes"] == ["numbers in several forms, such as '12 %' and '13': kept as text"]
    assert "several forms" in inspected(run, table_of(["1.234,5", "1,234.5"]))["a"]["notes"][0]


def test_a_refused_number_names_the_bad_cell(run):
    good = [f"{row},5" for row in range(300)]
    ran = run("inspect", written(table_of([*good, "1,7x", "2,5"])))
    assert ran.code == 2
    assert "is a number in 301 of 302 rows, but row 300 contains '1,7x'" in ran.err
    assert "--na-value 1,7x" in ran.err
    ran = run("inspect", written(table_of(["1,5", "2,5", "x", "pending"])), "--kind", "a=numeric")
    assert "row 2 contains 'x'" in ran.err
    ran = run("inspect", written(table_of(["k.A.", "2,5", "4,2", "x"])), "--kind", "a=numeric")
    assert "is a number in 2 of 3 rows, but row 3 contains 'x'" in ran.err


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["03.04.2020", "4.5.2020"], "2020-04-03 to 2020-05-04"),
        (["31/01/2020", "02/03/2020"], "2020-01-31 to 2020-03-02"),
        (["1/31/2020", "2/3/2020"], "2020-01-31 to 2020-02-03"),
        (["2020-01-31", "2020-02-03"], "2020-01-31 to 2020-02-03"),
        (["03.04.2020 12:30", "4.5.2020 7:05"], "2020-04-03 12:30 to 2020-05-04 07:05"),
        (["1/31/2020 1:05 PM", "2/3/2020 12:00 AM"], "2020-01-31 13:05 to 2020-02-03 00:00"),
        (["2020-01-31T10:00:15Z", "2020-02-03"], "2020-01-31 10:00:15 to 2020-02-03 00:00"),
        (["03.04.2020", "unbekannt", "4.5.2020"], "2020-04-03 to 2020-05-04"),
    ],
)
def test_dates_with_one_reading_are_dates(run, cells, values):
    assert inspected(run, table_of(cells))["a"]["values"] == values


def test_dates_with_two_readings_stay_text_until_the_format_is_given(run):
    text = table_of(["03/04/2020", "05/06/2020"])
    found = inspected(run, text)["a"]
    assert found["kind"] == "nominal"
    assert "order of day and month is unknown" in found["notes"][0]
    assert "--date-format %d/%m/%Y reads dates, --date-format %m/%d/%Y reads dates" in found["notes"][0]
    assert inspected(run, text, "--date-format", "d/m/Y")["a"]["values"] == "2020-04-03 to 2020-06-05"
    assert inspected(run, text, "--date-format", "a=%m/%d/%Y")["a"]["values"] == "2020-03-04 to 2020-05-06"
    ran = run("inspect", written(text), "--kind", "a=date")
    assert ran.code == 2
    assert "Pass --date-format %d/%m/%Y or %m/%d/%Y" in ran.err


def test_two_digit_years_and_numbers_are_dates_only_by_a_format(run):
    assert inspected(run, table_of(["31.12.20", "01.01.21"]))["a"]["kind"] == "nominal"
    assert inspected(run, table_of(["31.12.20", "01.01.21"]), "--date-format", "dd.mm.yy")["a"]["low"] == 18627
    found = inspected(run, table_of(["20200131", "20200203"]), "--date-format", "a=YYYYMMDD")["a"]
    assert found["values"] == "2020-01-31 to 2020-02-03"


def test_a_cell_that_is_no_date_is_named(run):
    ran = run("inspect", written(table_of(["03.04.2020", "31.02.2020", "04.05.2020"])), "--kind", "a=date")
    assert "row 1, must be a date (%d.%m.%Y), got '31.02.2020'" in ran.err


def test_cuts_of_dates_are_printed_as_dates_in_text_rules_and_drawings(run):
    rows = "".join(f"{day:02}.03.2020;{'early' if day < 15 else 'late'}\n" for day in range(1, 29))
    ran = run("grow", written("day;y\n" + rows), "--target", "y", "-o", "d.tree")
    assert "day <= 2020-03-14: early" in ran.out
    assert "day <= 2020-03-14" in run("rules", "d.tree").out
    assert "day  date (%d.%m.%Y)" in run("inspect", "d.tree").out
    assert run("draw", "d.tree", "-o", "d.svg").code == 0
    assert "2020-03-14" in pathlib.Path("d.svg").read_text(encoding="utf-8")


def test_new_rows_are_read_as_the_training_file_was(run):
    rows = ""
    for day in range(1, 29):
        half = 1 + day // 15
        rows += f"{day:02}/0{half}/2020;{half}.{100 + day};{day},5;{('early', 'late')[half - 1]}\n"
    run("grow", written("day;mass;rate;y\n" + rows), "--target", "y", "-o", "d.tree", "--drop", "rate")
    new = written("day;mass\n05/01/2020;1.105\n06/02/2020;2.206\n", "new.csv")
    ran = run("predict", "d.tree", new)
    assert re.findall(r"^\d,(\w+)", ran.out, re.MULTILINE) == ["early", "late"]
    assert "could be" not in ran.err
    assert "date (%d/%m/%Y)" in run("inspect", "d.tree").out


@pytest.mark.parametrize("values", [("0", "1"), ("1", "2"), ("true", "false"), ("yes", "no")])
def test_two_values_are_classes(run, values):
    rows = "".join(f"{row};{values[row > 5]}\n" for row in range(12))
    ran = run("grow", written("x;y\n" + rows), "--target", "y", "--json")
    assert ran.json["classes"] == sorted(values) or ran.json["classes"] == [int(each) for each in values]


def test_three_integers_are_a_number_with_the_flag_for_classes(run):
    rows = "".join(f"{row};{row % 3}\n" for row in range(12))
    ran = run("grow", written("x;y\n" + rows), "--target", "y")
    assert "column y: the integers from 0 to 2 are predicted as a number; --kind y=nominal predicts classes" in ran.err
    assert "classes" not in run("grow", "ugly.csv", "--target", "y", "--kind", "y=nominal").err


@pytest.mark.parametrize(
    "cells",
    [[f"K{row:03}" for row in range(12)], [str(1000 + row) for row in range(30)]],
)
def test_a_target_that_looks_like_an_id_is_an_error_with_the_flag_that_goes_on(run, cells):
    text = "x;key\n" + "".join(f"{row % 5};{cell}\n" for row, cell in enumerate(cells))
    ran = run("grow", written(text), "--target", "key")
    assert ran.code == 2
    assert f"The target 'key' looks like an id: {len(cells)} different values in {len(cells)} rows" in ran.err
    flag = re.search(r"Pass --kind (key=\w+) to predict it nevertheless", ran.err)
    assert flag is not None
    assert run("grow", "ugly.csv", "--target", "key", "--kind", flag[1]).code == 0
    assert "looks like an id" in run("inspect", "ugly.csv", "--target", "key").out


def test_a_target_with_cells_that_are_no_numbers_is_an_error_that_names_them(run):
    cells = [*(f"{row}.5" for row in range(20)), "pending"]
    text = "x;y\n" + "".join(f"{row % 5};{cell}\n" for row, cell in enumerate(cells))
    err = run("grow", written(text), "--target", "y").err
    assert "The target 'y' is text with 21 different values: 20 of 21 cells are numbers, but 1 x 'pending'" in err
    assert "--na-value pending" in err


def test_ids_and_free_text_are_left_out_of_a_file_and_kept_on_request(run):
    rows = "".join(f"{1000 + row};a note of row {row} in words;{row % 4};{'xy'[row % 2]}\n" for row in range(12))
    text = "case_id;remark;size;y\n" + rows
    assert set(inspected(run, text, "--target", "y")) == {"size", "y"}
    assert set(inspected(run, text, "--target", "y", "--keep-ids")) == {"case_id", "remark", "size", "y"}
    assert set(inspected(run, text, "--target", "y", "--kind", "case_id=numeric")) == {"case_id", "size", "y"}


def test_the_index_of_a_data_frame_has_a_name_and_is_left_out(run):
    rows = "".join(f"{row},{row % 4},{'xy'[row % 2]}\n" for row in range(12))
    ran = run("inspect", written(",size,y\n" + rows), "--target", "y")
    assert "the header has no name for the first column: named 'unnamed_0'" in ran.out
    assert "column 'unnamed_0' is excluded: it looks like an id" in ran.out


def test_duplicate_names_and_footers_are_errors_with_the_line(run):
    assert "line 1: the header repeats 'a'" in run("inspect", written("a;a\n1;2\n")).err
    text = "a;b\n1;2\n\n3;4\nTotal: 2 rows\n"
    ran = run("inspect", written(text))
    assert "line 5: 1 field, but the first line has 2" in ran.err
    assert "--skip-bad-rows" in ran.err
    assert run("inspect", "ugly.csv", "--skip-bad-rows").code == 1


def test_a_footer_with_all_cells_is_named(run):
    text = "a;b\n" + "".join(f"{row};{row % 4}.5\n" for row in range(20)) + "Total;35\n"
    found = inspected(run, text)["a"]
    assert "20 of 21 cells are numbers, but 1 x 'Total'; kept as text" in found["notes"][0]


def test_empty_lines_and_rows_of_empty_cells_are_no_data(run):
    found = columns(run("inspect", written("a;y\n1;x\n\n2;y\n;\n3;x\n"), "--target", "y", "--json"))
    assert (found["a"]["low"], found["a"]["high"], found["a"]["n_missing"]) == (1, 3, 0)


def test_two_files_agree_on_a_column_whose_reading_only_one_of_them_shows(run):
    written("a;y\n1.5;x\n2.5;y\n", "one.csv")
    written("a;y\n1.234;x\n2.345;y\n", "two.csv")
    found = columns(run("inspect", "one.csv", "two.csv", "--json"))["a"]
    assert (found["kind"], found["low"], found["high"]) == ("numeric", 1.234, 2.5)


def test_a_list_of_levels_never_runs_over_a_line(run):
    rows = "".join(f"place number {row % 60};{'xy'[row % 60 > 20]}\n" for row in range(240))
    ran = run("grow", written("town;y\n" + rows), "--target", "y", "--max-depth", "1", "-o", "t.tree")
    assert "town in {21 of 60 levels: place number 0, place number 1, ...}" in ran.out
    for command in (("inspect", "ugly.csv"), ("inspect", "t.tree"), ("rules", "t.tree"), ("show", "t.tree")):
        assert max(map(len, run(*command).out.splitlines())) < 140


@pytest.mark.parametrize("command", ["grow", "inspect", "compare", "evaluate"])
def test_built_in_tables_are_named_like_files(run, command):
    flags = {
        "compare": ("--folds", "2", "--recipe", "cart"),
        "evaluate": ("--folds", "2"),
        "grow": ("--max-depth", "2"),
    }
    assert run(command, "builtin:iris", *flags.get(command, ())).code == 0


def test_an_unknown_built_in_table_lists_the_names(run):
    assert "Available: play_tennis, fruit, contact_lenses, iris, penguins" in run("inspect", "builtin:").err
    assert "Did you mean 'penguins'?" in run("grow", "builtin:pinguins").err


@pytest.mark.parametrize(
    ("flags", "command"),
    [
        (("--recipe", "id3"), "grow"),
        (("--criterion", "gini"), "grow"),
        (("--recipe", "adaboost"), "grow"),
        (("--priors", "equal"), "grow"),
        (("--folds", "2", "--positive", "1"), "evaluate"),
    ],
)
def test_an_error_about_classes_names_the_flag_for_the_target(run, flags, command):
    rows = "".join(f"{row};{row % 3}\n" for row in range(30))
    ran = run(command, written("x;y\n" + rows), "--target", "y", *flags)
    assert ran.code == 2
    assert "--kind y=nominal" in ran.err
    assert run("grow", "ugly.csv", "--target", "y", "-o", "n.tree").code == 0
    assert "--kind y=nominal to hornbeam grow" in run("evaluate", "n.tree", "ugly.csv", "--positive", "1").err


def test_dates_are_printed_as_dates_in_explanations(run):
    rows = "".join(f"{day:02}.03.2020;{'early' if day < 15 else 'late'}\n" for day in range(1, 29))
    run("grow", written("day;y\n" + rows), "--target", "y", "-o", "d.tree")
    out = run("explain", "d.tree", "ugly.csv", "--row", "0", "--counterfactual").out
    assert "day <= 2020-03-14  day 2020-03-01" in out
    assert "day: 2020-03-01 -> 2020-03-15" in out
    assert (
        "day: 2020-03-28 -> 2020-03-14" in run("explain", "d.tree", "ugly.csv", "--row", "27", "--counterfactual").out
    )
    assert "<= 2020-03-14" in run("explain", "d.tree", "--dependence", "day").out
