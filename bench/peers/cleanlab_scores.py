"""Token scores of cleanlab (PyPI) for labels and out-of-fold probabilities: one JSON line a token, lower is worse."""

import json
import sys

import numpy as np
from cleanlab.token_classification.rank import get_label_quality_scores

rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
labels = [row["tags"] for row in rows]
probs = [np.array(row["probs"]) / np.sum(row["probs"], axis=1, keepdims=True) for row in rows]
_, tokens = get_label_quality_scores(labels, probs)
for row, scores in zip(rows, tokens):
    for token, score in enumerate(scores):
        print(json.dumps({"sentence": row["sentence"], "token": token, "score": float(score)}))
