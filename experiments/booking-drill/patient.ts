import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { ORPCError } from '@orpc/client'
import { pick } from '../../simulators/random.ts'
import type { StripeSimulator } from '../../simulators/stripe/server.ts'
import { confirmWith } from '../../test/billing/cards.ts'
import { type Client, clientOf } from '../../test/server.ts'

/** What a patient does; each is drawn on its own. */
export interface Plan {
  number: number
  /** Types a card without funds first. */
  isDeclinedFirst: boolean
  /** Pays after the minutes of the time are over. */
  isLate: boolean
  /** Closes the page once the card is charged. */
  closes: boolean
  /** Leaves before the card is typed. */
  leaves: boolean
  /** Cancels the booked visit by its link, in time. */
  cancels: boolean
  /** Presses each button twice. */
  isDoubled: boolean
}

/** How often each happened. */
export interface Tally {
  /** Answers of the server to patients, and calls that had none because it was killed. */
  answers: number
  unanswered: number
  /** Times that were taken when a patient wanted them. */
  taken: number
  declined: number
  paid: number
  late: number
  closed: number
  left: number
  booked: number
  cancelled: number
  /** Patients who found no time. */
  without: number
}

export interface World {
  url: string
  stripe: StripeSimulator
  visitTypeId: string
  /** The times that patients fight for. */
  times: readonly string[]
  random: () => number
  tally: Tally
  /** Patients who have a time, or may get one: while there are any, others wait for theirs. */
  busy: Set<number>
  /** Keys of bookings whose page showed the booked visit. */
  shown: string[]
  /** Milliseconds between two looks at the free times. */
  pauseMs: number
  /** The newest code that was sent to an address; '' without one. */
  codeTo: (email: string) => string
  /** Lets the minutes pass for which a time is held. */
  lapse: (key: string) => Promise<void>
}

const cards = { good: '4242424242424242', withoutFunds: '4000000000009995' }
let calls = 0

/** A patient books a visit as the page does, from the first step to the last, and does not give up for want of an answer. */
export async function bookAsPatient(world: World, plan: Plan): Promise<void> {
  world.busy.add(plan.number)
  try {
    await book(world, plan)
  } finally {
    world.busy.delete(plan.number)
  }
}

async function book(world: World, plan: Plan): Promise<void> {
  const { visitTypeId, tally, random } = world
  const key = randomUUID()
  const email = `patient.${plan.number}@fastmail.example`
  const person = { firstName: 'Ana', lastName: `Patient ${plan.number}`, email, language: plan.number % 3 === 0 ? 'fr' : 'en' } as const
  const press = async <Answer>(call: (client: Client) => Promise<Answer>): Promise<Answer | string> =>
    plan.isDoubled ? (await Promise.all([ask(world, call), ask(world, call)]))[0] : ask(world, call)

  let startsAt = pick(world.times, random)
  for (;;) {
    const begun = await ask(world, (client) => client.selfBooking.begin({ key, visitTypeId, startsAt, ...person }))
    if (typeof begun !== 'string') break
    const other = await chooseOther(begun)
    if (!other) return
    startsAt = other
  }
  let isHeld = await hold(await prove())
  if (!isHeld) return

  for (let isPaid = false; !isPaid;) {
    const started = await press((client) => client.selfBooking.pay({ key, language: person.language, acceptsTerms: true }))
    if (typeof started === 'string') {
      isHeld = await hold(started)
      if (!isHeld) return
    } else if (!started.form) isPaid = true
    else if (plan.leaves) {
      tally.left++
      await ask(world, (client) => client.selfBooking.leave({ key }))
      return world.lapse(key)
    } else {
      if (plan.isLate) {
        tally.late++
        await world.lapse(key)
      }
      if (plan.isDeclinedFirst && !(await charge(world, started.form.clientSecret, cards.withoutFunds))) tally.declined++
      isPaid = await charge(world, started.form.clientSecret, cards.good)
    }
  }
  tally.paid++
  if (plan.closes) return void tally.closed++

  for (;;) {
    const booked = await press((client) => client.selfBooking.confirm({ key }))
    if (typeof booked === 'string') {
      isHeld = await hold(booked)
      if (!isHeld) return
      continue
    }
    tally.booked++
    world.shown.push(key)
    if (!plan.cancels) return
    const token = booked.link.split('/').pop()!
    const cancelled = await press((client) => client.appointmentLinks.cancel({ token }))
    // The answer to the first call may have been lost.
    if (typeof cancelled === 'string' && cancelled !== 'NOT_POSSIBLE') throw new Error(`A visit could not be cancelled: ${cancelled}`)
    return void tally.cancelled++
  }

  /** Types the code of the newest email, and asks for another one if it does not come. */
  async function prove() {
    for (let used = '', attempt = 0; attempt < 600; attempt++) {
      const code = world.codeTo(email)
      if (code !== '' && code !== used) {
        used = code
        const proved = await press((client) => client.selfBooking.prove({ key, code }))
        if (proved !== 'INVALID_CODE') return proved
      } else if (attempt % 200 === 199) await ask(world, (client) => client.selfBooking.resend({ key }))
      await wait(100)
    }
    throw new Error('A code did not come')
  }

  /** Chooses other times until one is held. False: none was free. */
  async function hold(answer: object | string): Promise<boolean> {
    let held = answer
    while (typeof held === 'string') {
      const other = await chooseOther(held)
      if (!other) return false
      held = await press((client) => client.selfBooking.hold({ key, providerId: null, startsAt: other }))
    }
    world.busy.add(plan.number)
    return true
  }

  /** A free time, once there is one. Null: no one is left who could give one back. */
  async function chooseOther(refused: string): Promise<string | null> {
    if (refused !== 'TAKEN') throw new Error(`A patient was refused: ${refused}`)
    tally.taken++
    world.busy.delete(plan.number)
    const [from, days] = [world.times[0]!.slice(0, 10), 42]
    for (;;) {
      const wasOver = world.busy.size === 0
      const found = await ask(world, (client) => client.selfBooking.openings({ visitTypeId, from, days }))
      if (typeof found === 'string') throw new Error(`The free times could not be read: ${found}`)
      const starts = found.days.flatMap(({ starts: all }) => all.map(String))
      const free = world.times.filter((time) => starts.some((start) => Date.parse(start) === Date.parse(time)))
      if (free.length > 0) return pick(free, random)
      if (wasOver) {
        tally.without++
        return null
      }
      await wait(world.pauseMs * (0.5 + random()))
    }
  }
}

/** Makes a call until it is answered, each time from another network address, and returns the answer or the code of the refusal. */
async function ask<Answer>({ url, tally, random }: World, call: (client: Client) => Promise<Answer>): Promise<Answer | string> {
  for (let tries = 0; tries < 500; tries++) {
    calls++
    try {
      const answer = await call(clientOf(url, undefined, { 'x-forwarded-for': `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}` }))
      tally.answers++
      return answer
    } catch (error) {
      const refused = error instanceof ORPCError && error.status >= 400 && error.status < 500 ? error : null
      if (error instanceof ORPCError) tally.answers++
      else tally.unanswered++
      if (refused && refused.code !== 'PROCESSING') return refused.code
      await wait(200 + 600 * random())
    }
  }
  throw new Error('A call was not answered')
}

/** Confirms a payment as Stripe's form does, and again if the answer is lost. False: the card was declined. */
async function charge({ stripe }: World, clientSecret: string, card: string): Promise<boolean> {
  for (let tries = 0; tries < 50; tries++) {
    const outcome = await Promise.race([confirmWith(stripe, clientSecret, card).catch(() => 'lost'), wait(2_000, 'lost')])
    // The second: an answer that was lost had said so.
    if (outcome === 'succeeded' || outcome === 'payment_intent_unexpected_state') return true
    if (outcome !== 'lost') return false
  }
  throw new Error('Stripe did not answer a page')
}
