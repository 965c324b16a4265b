"""RW610 to RW618: dependencies between packs. An example contains the heads of several packs."""

from __future__ import annotations

from ruleset.findings.catalogue.entry import Entry

DEPENDENCIES: tuple[Entry, ...] = (
    Entry(
        "RW610",
        "pack-missing",
        "error",
        "A pack that is needed is nowhere",
        "What a pack extends or requires is loaded by itself, if it is found. It may be given on the command line, "
        "by the path of its folder. Otherwise packs are looked for beside the folder of the pack that needs them; "
        "in the folders that the environment variable RULEWRIGHT_PACKS names; in `~/.local/share/rulewright/packs` "
        "(or `$XDG_DATA_HOME/rulewright/packs`); among installed Python packages with an entry point in the group "
        "`rulewright.packs`; and among those that come with rulewright. A pack is called what its `pack.yaml` says "
        "behind `pack:`, whatever its folder is called. `rulewright packs` lists all that are found.",
        'pack: night-rules\nextends: {lantrens: "*"}\n---\npack: lanterns\nplayers: 2',
        'pack: night-rules\nextends: {lanterns: "*"}\n---\npack: lanterns\nplayers: 2',
    ),
    Entry(
        "RW611",
        "pack-version",
        "error",
        "A pack that is needed is there in another version",
        "The version of a pack stands in its `pack.yaml`. It lies outside of the range that another pack says it "
        "was made for: get one of the two in another version, or try whether a wider range works.",
        'pack: night-rules\nextends: {lanterns: ">=2"}\n---\npack: lanterns\nversion: 1.4.0\nplayers: 2',
        'pack: night-rules\nextends: {lanterns: ">=1.4,<2"}\n---\npack: lanterns\nversion: 1.4.0\nplayers: 2',
    ),
    Entry(
        "RW612",
        "version-range",
        "error",
        "This is no range of versions",
        'A range is one bound or several with commas between them: `">=1"` is version 1.0.0 or a later one, '
        '`">=1.2,<2"` goes up to version 2, `"==1.*"` is any whose first number is 1, `"~=1.2"` is 1.2.0 or later '
        'before 2, and `"*"` is any. A number alone does not say whether later versions will do, too. Ranges are '
        "written in quotes, since `>` and `*` mean something else in YAML.",
        'pack: night-rules\nextends: {lanterns: "1.2"}\n---\npack: lanterns\nversion: 1.4.0\nplayers: 2',
        'pack: night-rules\nextends: {lanterns: ">=1.2"}\n---\npack: lanterns\nversion: 1.4.0\nplayers: 2',
    ),
    Entry(
        "RW613",
        "packs-in-circle",
        "error",
        "Packs need one another in a circle",
        "A pack comes after all that it extends or requires, so none of these can need it in turn. Two packs that "
        "only have to stand in some order say so with `after`.",
        'pack: night-rules\nextends: {lanterns: "*"}\nrequires: {fog-rules: "*"}\n---\n'
        'pack: fog-rules\nextends: {lanterns: "*"}\nrequires: {night-rules: "*"}\n---\npack: lanterns\nplayers: 2',
        'pack: night-rules\nextends: {lanterns: "*"}\nrequires: {fog-rules: "*"}\n---\n'
        'pack: fog-rules\nextends: {lanterns: "*"}\n---\npack: lanterns\nplayers: 2',
    ),
    Entry(
        "RW614",
        "order-in-circle",
        "error",
        "Packs are to come after one another in a circle",
        "Of packs that change the same thing, the one that comes last has the last word. `after` says which that "
        "is, and what a pack extends or requires comes before it in any case; together they must leave one order.",
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
        "One of them says so under `conflicts`, perhaps only for some versions of the other.",
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
        "A pack without `extends` is a game of its own. All packs that are named together must lead to the same "
        "game.",
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
        "Packs are told apart by their names. Two folders whose `pack.yaml` gives the same name cannot be "
        "combined.",
        'pack: night-rules\nextends: {lanterns: "*"}\n---\npack: lanterns\nplayers: 2\n---\n'
        'pack: night-rules\nextends: {lanterns: "*"}',
        'pack: night-rules\nextends: {lanterns: "*"}\n---\npack: lanterns\nplayers: 2\n---\n'
        'pack: night-rules-too\nextends: {lanterns: "*"}',
    ),
)
