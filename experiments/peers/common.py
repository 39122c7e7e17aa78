"""What the scripts of this folder share: arguments, CoNLL files, scores, and the stored row."""

import argparse
import datetime
import json
import platform
import time
from pathlib import Path


def parser(description):
    """The arguments that every peer has."""
    arguments = argparse.ArgumentParser(description=description)
    arguments.add_argument("data", type=Path, help="folder with train.conll, dev.conll and test.conll")
    arguments.add_argument("--train", type=Path, help="another training file, such as one made by `lacuna mask`")
    arguments.add_argument("--name", required=True, help="what the row calls the data")
    arguments.add_argument("--hidden", type=float, default=0, help="share of hidden labels, for the row only")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--out", type=Path, required=True, help="file of rows to append to")
    return arguments


def read_splits(options):
    """Sentences of train, dev and test."""
    train = options.train or options.data / "train.conll"
    return [read_conll(file) for file in (train, options.data / "dev.conll", options.data / "test.conll")]


def read_conll(file):
    """Sentences as (words, tags), from lines `word<TAB>tag` with a blank line after each sentence."""
    sentences, words, tags = [], [], []
    for line in [*file.read_text(encoding="utf-8").split("\n"), ""]:
        if line:
            word, tag = line.split("\t")
            words.append(word)
            tags.append(tag)
        elif words:
            sentences.append((words, tags))
            words, tags = [], []
    return sentences


def spans_of(tags):
    """Entities (start, end, type), end exclusive. As in conlleval, an I- after O or another type begins one."""
    spans, start, kind = set(), 0, None
    for index, tag in enumerate([*tags, "O"]):
        prefix, _, label = tag.partition("-")
        if kind is not None and (prefix != "I" or label != kind):
            spans.add((start, index, kind))
            kind = None
        if prefix != "O" and kind is None:
            start, kind = index, label
    return spans


def tags_of(spans, length):
    """IOB2 tags of entities that do not overlap."""
    tags = ["O"] * length
    for start, end, kind in spans:
        tags[start:end] = [f"B-{kind}", *[f"I-{kind}"] * (end - start - 1)]
    return tags


def score(gold, predicted):
    """Precision, recall and F1 of exact spans with their types, over all sentences."""
    correct = sum(len(a & b) for a, b in zip(gold, predicted, strict=True))
    found, wanted = sum(map(len, predicted)), sum(map(len, gold))
    precision = correct / found if found else 0.0
    recall = correct / wanted if wanted else 0.0
    f1 = 2 * correct / (found + wanted) if found + wanted else 0.0
    return {"Precision": precision, "Recall": recall, "F1": f1}


class Clock:
    """Seconds since it was made: on the clock, and of the processor."""

    def __init__(self):
        self.wall, self.processor = time.perf_counter(), time.process_time()

    def read(self):
        seconds = time.perf_counter() - self.wall
        return {"seconds": round(seconds), "cpuSeconds": round(time.process_time() - self.processor)}


def write_row(options, dev, test, versions, **fields):
    """Append one line to the file of rows, and print it."""
    row = {"data": options.name, "hidden": options.hidden, **fields, "seed": options.seed}
    for split, scores in (("dev", dev), ("test", test)):
        row |= {f"{split}{name}": value for name, value in scores.items()}
    row |= {"versions": {"python": platform.python_version(), **versions}, "date": str(datetime.date.today())}
    line = json.dumps(row, ensure_ascii=False)
    print(line)
    with options.out.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
