import { connect, type Socket } from "node:net";

/** Connections that stay: each that the server closes is opened again. */
export interface Crowd {
  /** How many are open now, and how many were opened in all. */
  count(): { readonly open: number; readonly opened: number };
  leave(): void;
}

const head = "POST /tag HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

/** What a connection says at once, and then no more: nothing, half a head, half a body, or a request and then nothing. */
const openings: readonly string[] = [
  "",
  "POST /tag HTTP/1.1\r\nHost: localhost\r\nContent-Ty",
  `${head}Content-Length: 99\r\n\r\n{`,
  "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n",
];

/** A request that comes a byte at a time, each after so many milliseconds: it would take minutes. */
const drip = { text: `${head}Content-Length: 2000\r\n\r\n{"inputs":"`, every: 400 } as const;

/** Milliseconds before a connection that was closed is opened again. */
const pause = 500;

/** Opens so many idle connections, and so many that send a byte now and then. */
export async function crowd(port: number, idle: number, slow: number): Promise<Crowd> {
  const sockets = new Set<Socket>();
  let [opened, isOver] = [0, false];
  const open = (join: (socket: Socket) => void): Socket => {
    opened++;
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.once("connect", () => sockets.add(socket));
    socket.resume();
    socket.once("close", () => {
      sockets.delete(socket);
      if (!isOver) setTimeout(() => isOver || open(join), pause);
    });
    join(socket);
    return socket;
  };
  for (let i = 0; i < idle + slow; i++) {
    const opening = openings[i % openings.length]!;
    const socket = open(i < idle ? (each) => each.write(opening) : dripping);
    // Not more at a time than a system lets wait.
    if (i % 100 === 99) await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
  }
  return {
    count: () => ({ open: sockets.size, opened }),
    leave() {
      isOver = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

function dripping(socket: Socket): void {
  let sent = 0;
  const timer = setInterval(() => socket.write(drip.text[sent++] ?? "x"), drip.every);
  socket.once("close", () => clearInterval(timer));
}
