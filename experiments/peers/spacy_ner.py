"""spaCy's default recogniser, as `spacy init config --pipeline ner --optimize efficiency` sets it up, on a CPU.

What has no label is O, "not an entity". The state with the best F1 on dev is kept; test is looked at once.
"""

import tempfile
from pathlib import Path

import spacy
import thinc
from spacy.cli.init_config import init_config
from spacy.tokens import Doc, DocBin
from spacy.training.initialize import init_nlp
from spacy.training.loop import train

from common import Clock, parser, read_splits, score, spans_of, tags_of, write_row


def main():
    arguments = parser(__doc__)
    arguments.add_argument("--lang", default="en")
    arguments.add_argument("--patience", type=int, help="steps without a better dev F1 after which training ends")
    arguments.add_argument("--max-steps", type=int)
    options = arguments.parse_args()
    train_set, dev_set, test_set = read_splits(options)

    config = init_config(lang=options.lang, pipeline=["ner"], optimize="efficiency", gpu=False)
    training = config["training"]
    training["seed"] = config["system"]["seed"] = options.seed
    training["logger"] = {"@loggers": "peers.History.v1"}
    training["patience"] = options.patience or training["patience"]
    training["max_steps"] = options.max_steps or training["max_steps"]

    clock = Clock()
    with tempfile.TemporaryDirectory() as folder:
        for name, sentences in (("train", train_set), ("dev", dev_set)):
            config["paths"][name] = f"{folder}/{name}.spacy"
            write_docs(config["paths"][name], sentences)
        train(init_nlp(config), Path(folder))
        time = clock.read()
        nlp = spacy.load(Path(folder) / "model-best")

    write_row(
        options,
        evaluate(nlp, dev_set),
        evaluate(nlp, test_set),
        {"spacy": spacy.__version__, "thinc": thinc.__version__},
        peer="spaCy",
        negatives="all",
        encoder="MultiHashEmbed and MaxoutWindowEncoder 96, no vectors",
        epochs=history[-1]["epoch"] + 1,
        steps=history[-1]["step"],
        bestEpoch=max(history, key=lambda each: each["score"])["epoch"] + 1,
        **time,
    )


history = []


@spacy.registry.loggers("peers.History.v1")
def history_logger():
    """Keeps epoch, step and dev F1 of each evaluation, for the row."""

    def step(info):
        if info and info["score"] is not None:
            history.append({key: info[key] for key in ("epoch", "step", "score")})
            print("epoch {epoch}, step {step}, dev F1 {score:.4f}".format(**history[-1]), flush=True)

    return lambda nlp, stdout, stderr: (step, lambda: None)


def write_docs(file, sentences):
    """A Doc for each sentence; without `spaces`, spaCy trains on the given words and does not tokenise anew."""
    vocab = spacy.blank("xx").vocab
    docs = [Doc(vocab, words=words, ents=tags_of(spans_of(tags), len(tags))) for words, tags in sentences]
    DocBin(docs=docs).to_disk(file)


def evaluate(nlp, sentences):
    docs = nlp.pipe([Doc(nlp.vocab, words=words) for words, _ in sentences])
    predicted = [{(entity.start, entity.end, entity.label_) for entity in doc.ents} for doc in docs]
    return score([spans_of(tags) for _, tags in sentences], predicted)


if __name__ == "__main__":
    main()
