import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { listen } from './listen.ts'

it('completes open requests when it stops, and closes connections that have sent nothing', async () => {
  const arrived = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<Response>()
  const { server, close } = await listen(
    () => {
      arrived.resolve()
      return answer.promise
    },
    '127.0.0.1',
    0,
  )
  const { port } = server.address() as AddressInfo
  const silent = net.connect(port, '127.0.0.1')
  const silentEnded = once(silent.resume(), 'end')
  await once(silent, 'connect')
  const request = fetch(`http://127.0.0.1:${port}/`)
  await arrived.promise
  const closed = close()
  answer.resolve(new Response('done'))
  expect(await (await request).text()).toBe('done')
  await Promise.all([closed, silentEnded])
})
