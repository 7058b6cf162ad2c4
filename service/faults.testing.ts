import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

/**
 * Forwards bytes to a server; now and then it cuts the connection when the answer comes, so what was asked was done. @param share of answers
 * that are cut
 */
export async function cuttingTunnel(port: number, share: number, next: () => number) {
  let cuts = 0;
  let isOn = false;
  const sockets = new Set<{ destroy(): void }>();
  const tunnel = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    client.on('data', (data) => server.write(data));
    server.on('data', (data) => {
      if (!isOn || next() >= share) return client.write(data);
      cuts++;
      client.destroy();
      return server.destroy();
    });
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  });
  tunnel.listen(0, '127.0.0.1');
  await once(tunnel, 'listening');
  return {
    port: (tunnel.address() as AddressInfo).port,
    cuts: () => cuts,
    cut(on: boolean) {
      isOn = on;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      tunnel.close();
    },
  };
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
