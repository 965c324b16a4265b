"""RW610 to RW618: dependencies between packs. An example contains the heads of several packs."""

from __future__ import annotations

from rulewright.ruleset.findings.catalogue.entry import Entry

DEPENDENCIES: tuple[Entry, ...] = (
    Entry(
        "RW610",
        "pack-missing",
        "error",
        "A required pack was not found",
        "Packs under `extends` and `requires` are loaded automatically if they are found. You can give one on the "
        "command line, by the path of its folder. Otherwise these places are searched: the folder that contains "
        "the pack's folder; the folders in the environment variable RULEWRIGHT_PACKS; "
        "`~/.local/share/rulewright/packs` (or `$XDG_DATA_HOME/rulewright/packs`); installed Python packages with "
        "an entry point in the group `rulewright.packs`; and the packs shipped with rulewright. The name of a "
        "pack is the one after `pack:` in its `pack.yaml`, not that of its folder. `rulewright packs` lists all "
        "packs found.",
        'pack: night-rules\nextends: {lantrens: "*"}\n---\npack: lanterns\nplayers: 2',
        'pack: night-rules\nextends: {lanterns: "*"}\n---\npack: lanterns\nplayers: 2',
    ),
    Entry(
        "RW611",
        "pack-version",
        "error",
        "A required pack has another version",
        "The version of a pack is in its `pack.yaml`. It is outside the range that another pack requires: get "
        "another version of one of the two, or try whether a wider range works.",
        'pack: night-rules\nextends: {lanterns: ">=2"}\n---\npack: lanterns\nversion: 1.4.0\nplayers: 2',
        'pack: night-rules\nextends: {lanterns: ">=1.4,<2"}\n---\npack: lanterns\nversion: 1.4.0\nplayers: 2',
    ),
    Entry(
        "RW612",
        "version-range",
        "error",
        "Invalid range of versions",
        'A range is one bound, or several separated by commas: `">=1"` is version 1.0.0 or later, `">=1.2,<2"` is '
        'below version 2, `"==1.*"` is any version whose first number is 1, `"~=1.2"` is 1.2.0 or later and below '
        '2, and `"*"` is any version. A number alone does not say whether later versions are included. Write '
        "ranges in quotes, because `>` and `*` have other meanings in YAML.",
        'pack: night-rules\nextends: {lanterns: "1.2"}\n---\npack: lanterns\nversion: 1.4.0\nplayers: 2',
        'pack: night-rules\nextends: {lanterns: ">=1.2"}\n---\npack: lanterns\nversion: 1.4.0\nplayers: 2',
    ),
    Entry(
        "RW613",
        "packs-in-circle",
        "error",
        "Packs require each other in a cycle",
        "A pack comes after all packs that it extends or requires, so these cannot require it. If only the order "
        "of two packs matters, use `after`.",
        'pack: night-rules\nextends: {lanterns: "*"}\nrequires: {fog-rules: "*"}\n---\n'
        'pack: fog-rules\nextends: {lanterns: "*"}\nrequires: {night-rules: "*"}\n---\npack: lanterns\nplayers: 2',
        'pack: night-rules\nextends: {lanterns: "*"}\nrequires: {fog-rules: "*"}\n---\n'
        'pack: fog-rules\nextends: {lanterns: "*"}\n---\npack: lanterns\nplayers: 2',
    ),
    Entry(
        "RW614",
        "order-in-circle",
        "error",
        "Packs come after each other in a cycle",
        "Of two packs that change the same thing, the change of the later one counts. `after` declares the order, "
        "and what a pack extends or requires always comes before it; together they must leave one possible order.",
        'pack: night-rules\nextends: {lanterns: "*"}\nrequires: {fog-rules: "*"}\n---\n'
        'pack: fog-rules\nextends: {lanterns: "*"}\nafter: [night-rules]\n---\npack: lanterns\nplayers: 2',
        'pack: night-rules\nextends: {lanterns: "*"}\nrequires: {fog-rules: "*"}\nafter: [fog-rules]\n---\n'
        'pack: fog-rules\nextends: {lanterns: "*"}\n---\npack: lanterns\nplayers: 2',
    ),
    Entry(
        "RW615",
        "packs-in-conflict",
        "error",
        "Two packs cannot be combined",
        "One of them lists the other under `conflicts`, perhaps only for some versions.",
        'pack: night-rules\nextends: {lanterns: "*"}\nrequires: {fog-rules: "*"}\n'
        'conflicts: {fog-rules: "<2"}\n---\n'
        'pack: fog-rules\nversion: 1.0.0\nextends: {lanterns: "*"}\n---\npack: lanterns\nplayers: 2',
        'pack: night-rules\nextends: {lanterns: "*"}\nrequires: {fog-rules: "*"}\n'
        'conflicts: {fog-rules: "<2"}\n---\n'
        'pack: fog-rules\nversion: 2.0.0\nextends: {lanterns: "*"}\n---\npack: lanterns\nplayers: 2',
    ),
    Entry(
        "RW616",
        "two-games",
        "error",
        "Packs of different games are combined",
        "A pack without `extends` is a game. All packs that are used together must lead to the same game.",
        'pack: night-rules\nextends: {lanterns: "*"}\nrequires: {kites: "*"}\n---\n'
        "pack: lanterns\nplayers: 2\n---\npack: kites\nplayers: 2",
        'pack: night-rules\nextends: {lanterns: "*"}\nrequires: {kites: "*"}\n---\n'
        'pack: lanterns\nplayers: 2\n---\npack: kites\nextends: {lanterns: "*"}',
    ),
    Entry(
        "RW617",
        "pack-twice",
        "error",
        "Two packs have the same name",
        "Packs are identified by their names. Two folders whose `pack.yaml` has the same name cannot be combined.",
        'pack: night-rules\nextends: {lanterns: "*"}\n---\npack: lanterns\nplayers: 2\n---\n'
        'pack: night-rules\nextends: {lanterns: "*"}',
        'pack: night-rules\nextends: {lanterns: "*"}\n---\npack: lanterns\nplayers: 2\n---\n'
        'pack: night-rules-too\nextends: {lanterns: "*"}',
    ),
)
