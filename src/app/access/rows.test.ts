import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { calls, encode } from '../../../test/access/calls.ts'
import { insertOneOfEach } from '../../../test/factories.ts'
import { type CreatedRow, type OwnedKind, ownedRecords } from '../../../test/access/personal-records.ts'
import { ownership } from '../../../test/access/ownership.ts'
import { type Account, useServer } from '../../../test/server.ts'
import { sideBySide } from '../../../test/side-by-side.ts'
import { type Access, mayUse, permissions, rawRoutes, type Route } from '../../kernel/access/policy.ts'
import { type Role, roles } from '../../kernel/access/rules.ts'
import { createTaskReminders } from '../../crm/notifications/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'

const server = useServer({ TRUST_PROXY: 'true' })
/** Of each role the one whose rows these are, and another. */
const owners = {} as Record<Role, Account>
const others = {} as Record<Role, Account>
beforeAll(async () => {
  for (const role of roles) {
    owners[role] = await server.account({ role })
    others[role] = await server.account({ role })
    for (const { id, email } of [owners[role], others[role]]) await connectMailbox(id, email)
  }
})

/** One that no provider is asked about: what opens it cannot be read. */
const connectMailbox = (id: string, email: string) =>
  server.rows(
    `insert into mailbox_connections (user_id, provider, email, sealed, state, connected_at) values ($1, 'nylas', $2, 'nothing', 'connected', now())`,
    [id, email],
  )

const access: Record<Route, Access> = { ...rawRoutes, ...permissions }
const isAllowed = (role: Role, call: Route) => mayUse(access[call], { id: '', sessionId: '', name: '', email: '', role, status: 'active' })
const things = ownedRecords(server)

describe('row ownership declared by every call (spec 9)', () => {
  it('every call and route is public, or concerns one person’s rows, oneself or the practice', () => {
    const stated = Object.values(ownership).flat()
    const guarded = (Object.keys(access) as Route[]).filter((route) => access[route] !== 'public')
    expect(stated.toSorted()).toEqual(guarded.toSorted())
  })

  it('every call on one person’s rows is tested below', () => {
    const tried = things.flatMap(({ calls, lists, skipsInaccessible }) =>
      [...calls, ...(lists ?? []), ...(skipsInaccessible ?? [])].map(([call]) => call),
    )
    expect([...new Set(tried)].toSorted()).toEqual(ownership.rows.toSorted())
  })

  it('every table with an owner is listed here: a new one needs a fixture in test/access/personal-records.ts', async () => {
    const rows = await server.rows<{ place: string }>(
      `select conrelid::regclass || '.' || attname as place from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
       where contype = 'f' and confrelid = 'profiles'::regclass and attname in ('user_id', 'owner_id', 'profile_id', 'made_by') order by 1`,
    )
    expect(rows.map(({ place }) => place)).toEqual([
      'accounts.user_id', // passwords
      'calendar_feeds.profile_id', // at most one: oneself
      'mailbox_connections.user_id', // at most one: oneself
      'mailbox_drafts.user_id',
      'mailbox_links.user_id', // looked for in the own mailbox: threads.test.ts
      'notification_recipients.user_id', // one of each kind: oneself
      'notifications.user_id',
      'oauth_attempts.user_id', // state
      'passkeys.user_id',
      'saved_reports.owner_id',
      'saved_views.owner_id',
      'sessions.user_id',
      'signatures.user_id', // one in each language: oneself
      'staff_exceptions.profile_id',
      'staff_hours.profile_id', // everyone who books sees them, administrators change them
      'subscribed_calendars.profile_id', // whose time it blocks: administrators alone set it up
      'task_assignees.profile_id',
      'task_undos.made_by',
      'two_factors.user_id', // at most one: oneself
      'visit_type_people.profile_id', // of the practice
    ])
  })
})

describe('rows of one person, requested by each role (spec 9)', () => {
  const ask = async ([, method, path, body]: OwnedKind['calls'][number], made: CreatedRow, { cookie }: Account) => {
    const answer = await server.send(method, path(made), body?.(made), cookie)
    await answer.arrayBuffer()
    return answer.status
  }
  const answerTo = async ([, method, path, body]: OwnedKind['calls'][number], made: CreatedRow, { cookie }: Account) => {
    const answer = await server.send(method, path(made), body?.(made), cookie)
    return `${answer.status} ${(await answer.text()).replaceAll(made.id, '')}`
  }
  const unknownOf = (made: CreatedRow): CreatedRow => ({ ...made, id: randomUUID() })
  const isListed = async ([, path, shows]: NonNullable<OwnedKind['lists']>[number], made: CreatedRow, { cookie }: Account) => {
    const answer = await server.send('GET', path(made), undefined, cookie)
    const text = await answer.text()
    return answer.status === 403 ? 403 : text.includes(shows?.(made) ?? made.id)
  }
  const may = (thing: OwnedKind, role: Role) => [...thing.calls, ...(thing.lists ?? [])].every(([call]) => isAllowed(role, call))

  it.each(things.flatMap((thing) => roles.map((role) => ({ thing, role, name: `${thing.what}, of ${role}` }))))(
    '$name',
    async ({ thing, role }) => {
      if (!may(thing, role)) return
      const owner = owners[role]
      const wrong: string[] = []
      const mine = await thing.make(owner)
      for (const list of thing.lists ?? []) if ((await isListed(list, mine, owner)) !== true) wrong.push(`the owner: not on ${list[0]}`)
      for (const asked of thing.calls) {
        const status = await ask(asked, mine, owner)
        if (status === 401 || status === 403 || status === 404 || status >= 500) wrong.push(`the owner: ${asked[0]} ${status}`)
      }
      const isMissing = async (
        [, method, path, body]: NonNullable<OwnedKind['skipsInaccessible']>[number],
        made: CreatedRow,
        { cookie }: Account,
      ) => {
        const answer = await server.send(method, path, body(made), cookie)
        return ((await answer.json()) as { missing?: string[] }).missing?.includes(made.id)
      }
      for (const one of thing.skipsInaccessible ?? []) if ((await isMissing(one, mine, owner)) !== false) wrong.push(`the owner: ${one[0]}`)
      const askAs = async (reader: Role) => {
        const foreign = await thing.make(owner)
        for (const one of thing.skipsInaccessible ?? [])
          if ((await isMissing(one, foreign, others[reader])) === thing.isAccessibleTo(reader, one[0])) wrong.push(`${reader}: ${one[0]}`)
        for (const list of thing.lists ?? []) {
          const wanted = isAllowed(reader, list[0]) ? thing.isAccessibleTo(reader, list[0]) : 403
          // What is open to everyone of a role may stand further down a long list.
          if (wanted !== true && (await isListed(list, foreign, others[reader])) !== wanted) wrong.push(`${reader}: on ${list[0]}`)
        }
        for (const asked of thing.calls) {
          const [call] = asked
          const status = await ask(asked, await thing.make(owner), others[reader])
          const isRefused = status === 403 || status === 404 || status === thing.refusedWith?.[call]
          const isWanted = isAllowed(reader, call) && thing.isAccessibleTo(reader, call)
          if (status >= 500 || isRefused === isWanted) wrong.push(`${reader}: ${call} ${status}`)
          // What is shared is on everyone's list, and the id of a draft is the browser's choice.
          const isSecret = !thing.what.startsWith('a shared') && !thing.refusedWith?.[call]
          if (isSecret && isAllowed(reader, call) && !isWanted) {
            const [known, unknown] = [
              await answerTo(asked, foreign, others[reader]),
              await answerTo(asked, unknownOf(foreign), others[reader]),
            ]
            if (known !== unknown) wrong.push(`${reader}: ${call} answers ${known}, and of an unknown one ${unknown}`)
          }
        }
      }
      await Promise.all(roles.map(askAs))
      expect(wrong).toEqual([])
    },
  )
})

describe('a user’s own actions leave everyone else’s rows unchanged (spec 9)', () => {
  /** Every row of every table that names this person, but for where they are being looked at from. */
  async function rowsOf(person: string): Promise<unknown> {
    const places = await server.rows<{ place: string; name: string }>(
      `select conrelid::regclass::text as place, attname as name from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
       where contype = 'f' and confrelid = 'profiles'::regclass order by 1, 2`,
    )
    const found: Record<string, unknown> = {
      profile: await server.rows('select to_jsonb(p) as row from profiles as p where id = $1', [person]),
    }
    const readRows = async ({ place, name }: (typeof places)[number]) => {
      const text = `select to_jsonb(t) as row from "${place}" as t where "${name}" = $1 order by to_jsonb(t)::text`
      found[`${place}.${name}`] = await server.rows(text, [person])
    }
    await Promise.all(places.map(readRows))
    return found
  }

  it.each(roles)('%s: every such call by another user with the same role', async (role) => {
    const account = owners[role]
    for (const thing of things)
      if ([...thing.calls, ...(thing.lists ?? [])].every(([call]) => isAllowed(role, call))) await thing.make(account)
    // The server runs this job every minute: what is due by now must not arrive between the two readings.
    await createTaskReminders.run(server.running.runtime as unknown as Scope, {}, { last: true })
    const before = await rowsOf(account.id)
    const another = await server.account({ role })
    await connectMailbox(another.id, another.email)
    const made = await insertOneOfEach(server, another.id)
    const about: readonly Route[] = [...ownership.oneself, ...ownership.state, ...ownership.rows]
    const asked = calls.filter(({ name }) => about.includes(name) && isAllowed(role, name) && name !== 'events.subscribe')
    const ask = async (call: (typeof calls)[number]) => {
      const { path, body } = encode(call, call.validInput(made))
      const answer = await server.request(path, {
        method: call.method,
        headers: { cookie: another.cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body } : {}),
      })
      await answer.arrayBuffer()
      expect([call.name, answer.status < 500]).toEqual([call.name, true])
    }
    // What only reads is asked for side by side; signing out comes last.
    const changes = asked.filter(({ method }) => method !== 'GET')
    await sideBySide(
      asked.filter((call) => !changes.includes(call)),
      ask,
    )
    for (const call of changes.toSorted((a, b) => Number(a.name === 'auth.signOut') - Number(b.name === 'auth.signOut'))) await ask(call)
    expect(await rowsOf(account.id)).toEqual(before)
  })
})
