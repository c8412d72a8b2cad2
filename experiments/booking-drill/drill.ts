import type pg from 'pg'
import { stripeSettings } from '../../demo/billing/stripe.ts'
import { startPostmarkSimulator } from '../../simulators/postmark/server.ts'
import { startQuickBooksSimulator } from '../../simulators/quickbooks/server.ts'
import { randomFrom } from '../../simulators/random.ts'
import { startStripeSimulator } from '../../simulators/stripe/server.ts'
import { openDatabase } from '../../src/kernel/postgres/database.ts'
import { createActiveAccount } from '../../src/platform/auth/service.ts'
import { hookAt } from '../../test/billing/cards.ts'
import { connectQuickBooks, quickbooksSettings } from '../../test/billing/point-of-sale.ts'
import { makeDue } from '../../test/jobs.ts'
import { codeOf } from '../../test/portal.ts'
import { type ChildServer, startChildServer } from '../../test/processes/process.ts'
import { clientOf, password } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { bookAsPatient, type Plan, type Tally, type World } from './patient.ts'
import type { Books } from './reconcile.ts'

interface Drill {
  patients: number
  /** Times that they fight for. */
  slots: number
  kills: number
  /** The share of Stripe's calls that are carried out and whose answer is lost. */
  lostShare: number
  seed: number
  databaseUrl: string
  /** Not connected yet. */
  owner: pg.Client
}

export interface Figures extends Tally {
  kills: number
  /** Visits that a page showed as booked and that do not exist. */
  missing: number
  /** Calls of Stripe, and calls of our webhook by Stripe. */
  stripeCalls: number
  events: number
  /** From the last patient's last step until nothing was left to do. */
  settlingSeconds: number
  seconds: number
}

const minutes = 30
const depositCents = 7_500
const isUnsettled = `status in ('started', 'open', 'processing')`
/** Jobs that have to end before the books are compared. */
const areOfBookings = `task_id in (select id from graphile_worker._private_tasks where identifier ~ '^(self-booking|cards|visit-fees|pos)\\.')`

/**
 * Lets patients fight for a few times with deposits while the server is killed, Stripe's answers are lost and its events come doubled and shuffled. Then time
 * passes, by SQL, for all that waits for it. Once nothing is left to do, the three databases are handed to `look`.
 */
export async function drill<Found>(given: Drill, look: (books: Books) => Promise<Found>): Promise<{ figures: Figures; found: Found }> {
  const begun = performance.now()
  const seconds = (since: number) => Math.round((performance.now() - since) / 1_000)
  const { owner } = given
  const rows = async <Row extends object>(text: string, values: unknown[] = []) => (await owner.query(text, values)).rows as Row[]
  const random = randomFrom(given.seed)
  const chance = (share: number) => random() < share
  const [outbox, stripe, quickBooks] = await Promise.all([
    startPostmarkSimulator({ latencyMs: 5 }),
    startStripeSimulator({ latencyMs: 10 }),
    startQuickBooksSimulator({ clientId: 'refyne-test', clientSecret: 'refyne-test-secret', latencyMs: 10 }),
  ])
  const settings: Record<string, string> = {
    LOG_LEVEL: 'silent',
    POSTMARK_URL: outbox.url,
    POSTMARK_TOKEN: 'drill',
    COMPANY_DOMAINS: 'clinic.example',
    DNS_SERVERS: '127.0.0.1:9',
    TRUST_PROXY: 'true',
    STRIPE_TIMEOUT_SECONDS: '1',
    QUICKBOOKS_TIMEOUT_SECONDS: '2',
    ...stripeSettings(stripe.url),
    ...quickbooksSettings(quickBooks.url),
  }
  let server: ChildServer | null = null
  let kills = 0
  await owner.connect()
  try {
    server = await startChildServer(given.databaseUrl, settings)
    const { url } = server
    // It comes back where Stripe and the pages expect it.
    settings.PORT = new URL(url).port
    const tally: Tally = {
      answers: 0,
      unanswered: 0,
      taken: 0,
      declined: 0,
      paid: 0,
      late: 0,
      closed: 0,
      left: 0,
      booked: 0,
      cancelled: 0,
      without: 0,
    }
    const world: World = {
      url,
      stripe,
      ...(await open(url)),
      random,
      tally,
      busy: new Set(),
      shown: [],
      pauseMs: 20 * given.patients,
      codeTo: codes(),
      lapse: async (key) =>
        void (await rows(`update booking_holds set status = 'open', held_until = now() where id = $1 and status = 'held'`, [key])),
    }
    stripe.setWebhook(hookAt({ url }))
    stripe.setDeliveries({ isDoubled: true, shuffled: 6, delayMs: 20, seed: given.seed })
    stripe.fault({ random: { share: given.lostShare, kinds: ['dropAfter', 'badJson', 'timeoutAfter'], seed: given.seed } })

    const plans = Array.from({ length: given.patients }, (_, number): Plan => ({
      number,
      isDeclinedFirst: chance(0.2),
      isLate: chance(0.2),
      closes: chance(0.2),
      leaves: chance(0.1),
      cancels: chance(0.3),
      isDoubled: chance(0.3),
    }))
    const fight = { isOver: false }
    const fought = Promise.all(plans.map((plan) => bookAsPatient(world, plan))).finally(() => {
      fight.isOver = true
    })
    fought.catch(() => {}) // awaited below
    const early = Math.ceil(given.kills * 0.8)
    for (let at = given.patients; kills < early && !fight.isOver; at = tally.answers + given.patients / 4) {
      await until(() => tally.answers >= at || fight.isOver, 600_000)
      await kill()
    }
    await fought

    const settling = performance.now()
    await stripe.settled()
    const steps = [askStripe, endBookings, passDay]
    for (const [at, pass] of steps.entries()) {
      await pass()
      // The last kills come while the books are kept.
      const wanted = Math.round(early + ((given.kills - early) * (at + 1)) / steps.length)
      while (kills < wanted) {
        await until(async () => (await work('locked_at is not null')) > 0, 2_000).catch(() => {}) // it may be done already
        await kill()
      }
      await settle()
    }
    const missing = await rows(
      `select from unnest($1::uuid[]) as key where not exists (select from appointments where idempotency_key = key)`,
      [world.shown],
    )
    return {
      figures: {
        ...tally,
        kills,
        missing: missing.length,
        stripeCalls: Object.values(stripe.calls()).reduce((sum, count) => sum + count, 0),
        events: stripe.hookCalls.length,
        settlingSeconds: seconds(settling),
        seconds: seconds(begun),
      },
      found: await look({ owner, stripeUrl: stripe.url, quickBooksUrl: quickBooks.url }),
    }
  } finally {
    await server?.kill()
    await owner.end()
    await Promise.all([outbox.stop(), stripe.stop(), quickBooks.stop()])
  }

  async function kill(): Promise<void> {
    await server!.kill()
    server = await startChildServer(given.databaseUrl, settings)
    kills++
  }

  /** A practice that takes deposits and keeps its books in QuickBooks, and the times that patients will want. */
  async function open(url: string): Promise<Pick<World, 'visitTypeId' | 'times'>> {
    const db = openDatabase(given.databaseUrl, 2, () => {})
    const account = (role: 'admin' | 'provider') =>
      createActiveAccount(db, { firstName: 'Dana', lastName: role, email: `${role}@clinic.example`, password, role })
    const [, providerId] = [await account('admin'), await account('provider')]
    await db.$client.end()
    const signedIn = await fetch(`${url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'admin@clinic.example', password }),
    })
    const cookie = signedIn.headers.getSetCookie().map((one) => one.split(';')[0])
    const admin = clientOf(url, cookie.join('; '))
    await connectQuickBooks(admin)
    const { id: visitTypeId } = await admin.availability.addVisitType({
      name: 'Consultation',
      nameFr: null,
      description: null,
      descriptionFr: null,
      type: 'consult',
      minutes,
      bufferBefore: 0,
      bufferAfter: 0,
      noticeHours: 72,
      horizonDays: 60,
      changeHours: 48,
      maxPerDay: null,
      patients: 'all',
      isOnline: true,
      providerIds: [providerId],
      secondIds: [],
      roomIds: [],
      depositKind: 'amount',
      depositCents,
      lateFeeCents: 5_000,
      noShowFeeCents: 10_000,
    })
    const from = new Date().toISOString().slice(0, 10)
    const { days } = await clientOf(url).selfBooking.openings({ visitTypeId, from, days: 42 })
    const times: string[] = []
    for (const start of days.flatMap(({ starts }) => starts.map(String))) {
      const last = times.at(-1)
      if (times.length < given.slots && (!last || Date.parse(start) >= Date.parse(last) + minutes * 60_000)) times.push(start)
    }
    return { visitTypeId, times }
  }

  /** The newest code of each address. Each email is read once. */
  function codes(): World['codeTo'] {
    const newest = new Map<string, string>()
    let read = 0
    return (email) => {
      const { messages } = outbox
      for (const { To = '', Subject } of messages.slice(0, messages.length - read).toReversed()) {
        if (codeOf(Subject) !== '') newest.set(To, codeOf(Subject))
      }
      read = messages.length
      return newest.get(email) ?? ''
    }
  }

  async function work(condition: string): Promise<number> {
    const [found] = await rows<{ count: number }>(
      `select count(*)::int as count from graphile_worker._private_jobs where ${areOfBookings} and attempts < max_attempts and (${condition})`,
    )
    return found!.count
  }

  async function run(job: string): Promise<void> {
    await rows(`select graphile_worker.add_job($1, '{}', job_key => $1)`, [job])
  }

  /** Stripe is asked about payments whose events were lost. */
  async function askStripe(): Promise<void> {
    await rows(`update card_payments set updated_at = updated_at - interval '5 minutes' where ${isUnsettled}`)
    await run('cards.watch-payments')
  }

  /** The hour of each booking that was not finished is over. */
  async function endBookings(): Promise<void> {
    await rows(
      `update booking_holds set expires_at = expires_at - interval '1 hour', held_until = held_until - interval '1 hour' where status in ('open', 'held')`,
    )
    await rows(`update graphile_worker._private_jobs set run_at = run_at - interval '1 hour' where ${areOfBookings}`)
    await run('self-booking.end')
  }

  /** Payments that no one has completed within a day are cancelled. */
  async function passDay(): Promise<void> {
    await rows(`update card_payments set created_at = created_at - interval '25 hours' where ${isUnsettled}`)
    await askStripe()
  }

  /**
   * Waits until no job of a booking, no receipt and no payment of yesterday is left. The pauses between attempts last a second. What does not end is for the
   * books to show.
   */
  async function settle(): Promise<void> {
    const unsettled = `select from card_payments where ${isUnsettled} and created_at < now() - interval '1 day'
      union all select from sales_receipts where state = 'pending'`
    let due = 0
    const isSettled = async () => {
      const isOpen = (await rows(unsettled)).length > 0
      if (performance.now() > due) {
        due = performance.now() + 1_000
        await makeDue({ rows }, `${areOfBookings} and attempts > 0`)
        if (isOpen) await askStripe()
      }
      return !isOpen && (await work('locked_at is not null or run_at <= now() or attempts > 0')) === 0
    }
    await until(isSettled, 60_000).catch(() => {})
  }
}
