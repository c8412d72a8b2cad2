import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves requests on the loopback interface, on any free port. */
export async function serveLocally(answer: http.RequestListener): Promise<{ url: string; stop: () => void }> {
  const server = http.createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
