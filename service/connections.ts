import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps the number of connections at `most`: for a new one beyond, the oldest that waits for its client (idle, or slow with its
 * request) makes room. So clients that hold connections open cannot shut others out.
 */
export function limitConnections(server: Server, most: number): { count: () => number } {
  const waiting = new Set<Socket>();
  const busy = new Set<Socket>();
  server.on('connection', (socket) => {
    waiting.add(socket);
    socket.once('close', () => {
      waiting.delete(socket);
      busy.delete(socket);
    });
    if (waiting.size + busy.size <= most) return;
    for (const oldest of waiting) {
      waiting.delete(oldest);
      oldest.destroy();
      return;
    }
    socket.destroy();
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    // Its body has come: from here on it waits for us.
    request.once('end', () => {
      if (waiting.delete(socket)) busy.add(socket);
    });
    response.once('close', () => {
      if (busy.delete(socket) && !socket.destroyed) waiting.add(socket);
    });
  });
  return { count: () => waiting.size + busy.size };
}
