import { beforeAll, describe, expect, it } from 'vitest'
import { guardedRawRoutes as guarded } from '../../../test/access/raw-routes.ts'
import { insertOneOfEach, type OneOfEach } from '../../../test/factories.ts'
import { useServer } from '../../../test/server.ts'
import { sideBySide } from '../../../test/side-by-side.ts'
import { actionOfFile, proofActions } from '../../kernel/access/proof-policy.ts'
import { rawRoutes } from '../../kernel/access/policy.ts'
import { roles } from '../../kernel/access/rules.ts'

describe('permissions of every raw route, by role (spec 9)', () => {
  const server = useServer()
  let made: OneOfEach
  beforeAll(async () => {
    made = await insertOneOfEach(server)
  })

  it('the table lists every route that is not public', () => {
    const names = Object.entries(rawRoutes).flatMap(([name, access]) => (access === 'public' ? [] : [name]))
    expect(Object.keys(guarded).toSorted()).toEqual(names.toSorted())
  })

  it('every file route that requires the password is listed by path, so the prompt can name it', () => {
    const files = Object.entries(guarded).filter(([name]) => Object.hasOwn(proofActions, name))
    const found = files.map(([, [, , path]]) => actionOfFile(typeof path === 'string' ? path : path(made)))
    expect(found).toEqual(files.map(([name]) => name))
    expect(files).toHaveLength(14)
  })

  it.each(['signed out', 'pending', 'disabled', ...roles])(
    '%s: follows the table; otherwise 401 when signed out, 403 with an audit entry, and nothing for another site',
    async (who) => {
      const status = who === 'pending' || who === 'disabled' ? who : 'active'
      const role = roles.find((one) => one === who) ?? 'admin'
      const cookie: Record<string, string> = who === 'signed out' ? {} : { cookie: (await server.account({ role, status })).cookie }
      const wrong: string[] = []
      await sideBySide(Object.entries(guarded), async ([name, [allowed, method, path]]) => {
        const answer = await server.request(typeof path === 'string' ? path : path(made), { method, headers: cookie })
        await answer.arrayBuffer()
        const outcome = answer.status === 401 || answer.status === 403 ? answer.status : answer.status < 500 ? 'allowed' : answer.status
        const wanted = who === 'signed out' ? 401 : allowed.split(' ').includes(who) ? 'allowed' : 403
        if (outcome !== wanted) wrong.push(`${name}: ${answer.status}, not ${wanted}`)
        if (outcome === 403) {
          const rows = await server.rows('select actor_role, action, kind from audit_log where request_id = $1', [
            answer.headers.get('x-request-id'),
          ])
          if (JSON.stringify(rows) !== JSON.stringify([{ actor_role: role, action: 'denied', kind: name }]))
            wrong.push(`${name}: the denial's audit row is ${JSON.stringify(rows)}`)
        }
        if (method === 'GET') return
        const foreign = { ...cookie, origin: 'https://elsewhere.example' }
        const there = await server.request(typeof path === 'string' ? path : path(made), { method, headers: foreign })
        await there.arrayBuffer()
        if (there.status !== 403) wrong.push(`${name} from elsewhere: ${there.status}`)
      })
      expect(wrong).toEqual([])
    },
  )
})
