"""The training steps of bench/engine.ts in PyTorch on two threads: seconds of the best of several steps, as JSON."""
import json
import time

import torch
from torch import nn

torch.set_num_threads(2)
torch.manual_seed(1)


class Block(nn.Module):
    def __init__(self, width=384, inner=1536, heads=12):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.output = (nn.Linear(width, width) for _ in range(4))
        self.inner, self.outer = nn.Linear(width, inner), nn.Linear(inner, width)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, x):
        batch, length, width = x.shape
        split = lambda y: y.view(batch, length, self.heads, -1).transpose(1, 2)
        mixed = nn.functional.scaled_dot_product_attention(split(self.query(x)), split(self.key(x)), split(self.value(x)))
        x = self.norm1(x + self.output(mixed.transpose(1, 2).reshape(batch, length, width)))
        return self.norm2(x + self.outer(nn.functional.gelu(self.inner(x))))


def best_step(model, forward, steps):
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-5, weight_decay=0.01)
    best = float("inf")
    for _ in range(steps):
        start = time.perf_counter()
        optimiser.zero_grad()
        loss = forward().pow(2).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        best = min(best, time.perf_counter() - start)
    return best


stack = nn.Sequential(*[Block() for _ in range(6)])
tokens = torch.randn(32, 32, 384)
lstm = nn.LSTM(256, 256, bidirectional=True, batch_first=True)
sequence = torch.randn(32, 40, 256)
print(json.dumps({
    "transformer": best_step(stack, lambda: stack(tokens), 9),
    "bilstm": best_step(lstm, lambda: lstm(sequence)[0], 16),
}))
