"""A plain token classifier in PyTorch: a small BERT, fine-tuned, with a linear layer on the first sub-word of each word.

What has no label is O, "not an entity". The epoch with the best F1 on dev is kept; test is looked at once. The encoder
is a folder with config.json, tokenizer.json and one safetensors file; nothing is downloaded.
"""

import copy
import os
import random
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"

import torch
import transformers
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch.nn.functional import cross_entropy
from torch.nn.utils.rnn import pad_sequence

from common import Clock, parser, read_splits, score, spans_of, write_row

UNSCORED = -100


def main():
    arguments = parser(__doc__)
    arguments.add_argument("--encoder", type=Path, required=True, help="folder of the encoder")
    arguments.add_argument("--encoder-name", required=True, help="what the row calls the encoder")
    arguments.add_argument("--epochs", type=int, default=5)
    arguments.add_argument("--batch", type=int, default=16, help="sentences in a batch")
    arguments.add_argument("--rate", type=float, default=5e-5, help="learning rate of the encoder")
    arguments.add_argument("--head-rate", type=float, default=1e-3, help="learning rate of the linear layer")
    options = arguments.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    rng = random.Random(options.seed)

    train_set, dev_set, test_set = read_splits(options)
    kinds = sorted({kind for _, tags in train_set for *_, kind in spans_of(tags)})
    labels = ["O", *(f"{prefix}-{kind}" for kind in kinds for prefix in "BI")]
    tokenizer = Tokenizer.from_file(str(options.encoder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    model = Tagger(options.encoder, len(labels))
    train_inputs, dev_inputs, test_inputs = (
        [encoded(tokenizer, words, tags, labels) for words, tags in split] for split in (train_set, dev_set, test_set)
    )

    clock = Clock()
    best_epoch, best_f1, state = 0, -1.0, None
    for epoch in trained_epochs(model, train_inputs, options, rng):
        dev = evaluate(model, dev_inputs, dev_set, labels)
        print(f"epoch {epoch}, dev {dev}", flush=True)
        if dev["F1"] > best_f1:
            best_epoch, best_f1, state = epoch, dev["F1"], copy.deepcopy(model.state_dict())
    time = clock.read()

    model.load_state_dict(state)
    write_row(
        options,
        evaluate(model, dev_inputs, dev_set, labels),
        evaluate(model, test_inputs, test_set, labels),
        {"torch": torch.__version__, "transformers": transformers.__version__},
        peer="PyTorch tagger",
        negatives="all",
        encoder=f"{options.encoder_name}, fine-tuned",
        epochs=options.epochs,
        bestEpoch=best_epoch,
        **time,
    )


class Tagger(torch.nn.Module):
    def __init__(self, folder, labels):
        super().__init__()
        config = transformers.BertConfig.from_pretrained(folder)
        self.bert = transformers.BertModel(config, add_pooling_layer=False)
        [file] = folder.glob("*.safetensors")
        weights = {name.removeprefix("bert."): value.float() for name, value in load_file(file).items()}
        missing, _ = self.bert.load_state_dict(weights, strict=False)
        if missing:
            raise ValueError(f"{file}: weights are missing: {missing}")
        self.dropout = torch.nn.Dropout(0.1)
        self.head = torch.nn.Linear(config.hidden_size, labels)

    def forward(self, ids, mask):  # [batch, pieces] -> [batch, pieces, labels]
        return self.head(self.dropout(self.bert(ids, attention_mask=mask).last_hidden_state))


def encoded(tokenizer, words, tags, labels):
    """Ids of the sub-words; the place of each word's first one; the target at each sub-word."""
    encoding = tokenizer.encode(words, is_pretokenized=True)
    first = {}
    for place, word in enumerate(encoding.word_ids):
        if word is not None:
            first.setdefault(word, place)
    targets = torch.full((len(encoding.ids),), UNSCORED)
    for word, place in first.items():
        targets[place] = labels.index(tags[word]) if tags[word] in labels else UNSCORED
    return torch.tensor(encoding.ids), first, targets


def trained_epochs(model, inputs, options, rng):
    """Trains, and yields the number of each epoch when it is done. The rate rises for a tenth, then falls to zero."""
    groups = [
        {"params": model.bert.parameters(), "lr": options.rate},
        {"params": model.head.parameters(), "lr": options.head_rate},
    ]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    steps = options.epochs * -(-len(inputs) // options.batch)
    schedule = transformers.get_linear_schedule_with_warmup(optimiser, steps // 10, steps)
    for epoch in range(1, options.epochs + 1):
        model.train()
        for batch in batches(inputs, options.batch, rng):
            targets = pad_sequence([inputs[index][2] for index in batch], True, UNSCORED)
            logits = model(*padded([inputs[index][0] for index in batch]))
            loss = cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=UNSCORED)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
        yield epoch


def batches(inputs, size, rng):
    """Sentences of about the same length together, in random order."""
    order = sorted(range(len(inputs)), key=lambda index: len(inputs[index][0]) + rng.uniform(-5, 5))
    parts = [order[start : start + size] for start in range(0, len(order), size)]
    rng.shuffle(parts)
    return parts


def padded(ids):
    mask = pad_sequence([torch.ones_like(each) for each in ids], True)
    return pad_sequence(ids, True), mask


@torch.no_grad()
def evaluate(model, inputs, sentences, labels):
    model.eval()
    order = sorted(range(len(inputs)), key=lambda index: len(inputs[index][0]))
    predicted = [set() for _ in inputs]
    for start in range(0, len(order), 32):
        batch = order[start : start + 32]
        best = model(*padded([inputs[index][0] for index in batch])).argmax(-1).tolist()
        for row, index in zip(best, batch, strict=True):
            _, first, _ = inputs[index]
            words = range(len(sentences[index][0]))
            predicted[index] = spans_of([labels[row[first[word]]] if word in first else "O" for word in words])
    return score([spans_of(tags) for _, tags in sentences], predicted)


if __name__ == "__main__":
    main()
