"""A server of FastAPI and transformers (PyTorch) over the weights of a Lacuna tagger: transformers_server.py MODEL EXPORT WAY.

MODEL is the model directory, EXPORT the same model exported with --to transformers.js, which has the names of its labels.
WAY is plain (a request at a time in each thread of FastAPI's pool) or batched (requests that come within 2 ms go through
the model together, 32 at most). Prints its port when it is ready.
"""

import asyncio
import json
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import torch
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel
from safetensors.torch import load_file
from transformers import BertConfig, BertForTokenClassification, PreTrainedTokenizerFast, pipeline

model_folder, export_folder, way = sys.argv[1:4]
linear = {
    "attention.query": "attention.self.query",
    "attention.key": "attention.self.key",
    "attention.value": "attention.self.value",
    "attention.output": "attention.output.dense",
    "inner": "intermediate.dense",
    "outer": "output.dense",
}
norms = {"attention.norm": "attention.output.LayerNorm", "norm": "output.LayerNorm"}


def torch_weights(ours, layers):
    """The weights under the names of transformers; products have them the other way round there."""
    theirs = {
        "bert.embeddings.word_embeddings.weight": ours["transformer.words"],
        "bert.embeddings.position_embeddings.weight": ours["transformer.positions"],
        "bert.embeddings.token_type_embeddings.weight": ours["transformer.types"],
        "bert.embeddings.LayerNorm.weight": ours["transformer.norm.weight"],
        "bert.embeddings.LayerNorm.bias": ours["transformer.norm.bias"],
        "classifier.weight": ours["token.tags.weight"].T.contiguous(),
        "classifier.bias": ours["token.tags.bias"],
    }
    for layer in range(layers):
        for name, other in {**linear, **norms}.items():
            weight = ours[f"transformer.{layer}.{name}.weight"]
            theirs[f"bert.encoder.layer.{layer}.{other}.weight"] = weight.T.contiguous() if name in linear else weight
            theirs[f"bert.encoder.layer.{layer}.{other}.bias"] = ours[f"transformer.{layer}.{name}.bias"]
    return theirs


config = BertConfig(**json.load(open(f"{export_folder}/config.json", encoding="utf-8")))
model = BertForTokenClassification(config)
weights = torch_weights(load_file(f"{model_folder}/model.safetensors"), config.num_hidden_layers)
missing, unknown = model.load_state_dict(weights, strict=False)
assert not unknown and all(name.endswith("position_ids") for name in missing), (missing, unknown)
model.eval()
special = {"cls_token": "[CLS]", "sep_token": "[SEP]", "pad_token": "[PAD]", "unk_token": "[UNK]"}
tokenizer = PreTrainedTokenizerFast(tokenizer_file=f"{export_folder}/tokenizer.json", model_max_length=512, **special)
tagger = pipeline("token-classification", model=model, tokenizer=tokenizer, aggregation_strategy="first", device="cpu")


def plain(entities):
    return [{**each, "score": float(each["score"])} for each in entities]


class TagRequest(BaseModel):
    inputs: str


waiting: asyncio.Queue = asyncio.Queue()
executor = ThreadPoolExecutor(1)


async def work():
    """Batches of what came together; while one is in the model, others gather."""
    while True:
        batch = [await waiting.get()]
        await asyncio.sleep(0.002)
        while len(batch) < 32 and not waiting.empty():
            batch.append(waiting.get_nowait())
        texts = [text for text, _ in batch]
        found = await asyncio.get_running_loop().run_in_executor(executor, lambda: tagger(texts, batch_size=32))
        for (_, answer), entities in zip(batch, found):
            answer.set_result(plain(entities))


@asynccontextmanager
async def lifespan(_: FastAPI):
    worker = asyncio.create_task(work())
    yield
    worker.cancel()


app = FastAPI(lifespan=lifespan)

if way == "plain":

    @app.post("/tag")
    def tag(request: TagRequest):
        with torch.inference_mode():
            return plain(tagger(request.inputs))

else:

    @app.post("/tag")
    async def tag(request: TagRequest):
        answer = asyncio.get_running_loop().create_future()
        await waiting.put((request.inputs, answer))
        return await answer


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(256)
print(listener.getsockname()[1], flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])
