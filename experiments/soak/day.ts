import type { Clinic } from '../../bench/clinic/clinic.ts'
import { account, signIn } from '../../bench/clinic/session.ts'
import { dayOf } from '../../bench/mixed/day.ts'
import type { Kind } from '../../bench/mixed/open-loop.ts'
import { dayAt, daysLater } from '../../src/shared/zoned-time.ts'

/** So many that no one reaches the limit of exports in an hour. */
const staff = [account.email, ...[1, 2, 3].map((n) => `bench.${n}@refyne.example`)]
const json = { 'content-type': 'application/json' }

export const signInStaff = (clinic: Clinic, url: string): Promise<string[]> =>
  Promise.all(staff.map((email) => signIn(clinic.ownerUrl, url, email)))

/** As people do before a sensitive action, such as an export. */
export async function confirmIdentity(url: string, cookies: readonly string[]): Promise<void> {
  for (const cookie of cookies) {
    const body = JSON.stringify({ password: account.password })
    const response = await fetch(`${url}/api/auth/step-up`, { method: 'POST', headers: { cookie, ...json }, body })
    if (!response.ok) throw new Error(`The confirmation answered ${response.status}: ${await response.text()}`)
  }
}

/** A busy clinic's day with its tasks. Each request is another one, also when several loads send the kinds. */
export async function kindsOf(clinic: Clinic, contacts: number, url: string, cookies: readonly string[]): Promise<Kind[]> {
  const ids = async (text: string, values: unknown[] = []) => (await clinic.query<{ id: string }>(text, values)).map(({ id }) => id)
  const open = await ids(`select id from tasks where status = 'pending' order by id limit 2000`)
  const assignees = await ids('select id from profiles where email = any($1)', [staff])
  const tomorrow = daysLater(dayAt(new Date(), 'America/Toronto'), 1)
  const headers = (n: number) => ({ cookie: cookies[n % cookies.length]!, ...json })
  const tasks: Kind[] = [
    { name: 'tasks', share: 4, calls: (n) => [{ method: 'GET', path: '/api/tasks', headers: headers(n) }] },
    {
      name: 'task added',
      share: 2,
      calls: (n) => {
        const task = { title: `Call back ${n}`, dueDate: tomorrow, assigneeIds: [assignees[n % assignees.length]] }
        return [{ method: 'POST', path: '/api/tasks', headers: headers(n), body: JSON.stringify(task) }]
      },
    },
    {
      name: 'task completed',
      share: 2,
      calls: (n) => [{ method: 'POST', path: `/api/tasks/${open[n % open.length]}/complete`, headers: headers(n), body: '{}' }],
    },
  ]
  return [...(await dayOf(clinic, contacts, url, cookies, new Date())), ...tasks].map(counted)
}

/** Counts itself, because each process is sent its own mix. */
function counted(kind: Kind): Kind {
  let next = 0
  return { ...kind, calls: () => kind.calls(next++) }
}
