/*
 * What five sequences should do for a patient, written apart from the product: tick by tick, with the clock of Intl instead of the product's.
 * It shares nothing with src/outreach. Times are milliseconds.
 */
export type Kind = 'lead' | 'tag' | 'evening' | 'appointment' | 'surgery'
export interface Plan {
  kind: Kind
  zone: string
  start: number
  /** When the appointment or surgery begins. */
  eventAt: number
  reply: number | null
  booking: number | null
  stop: number | null
  cancel: number | null
}
export interface World {
  from: number
  to: number
  tick: number
  holidays: ReadonlySet<string>
}
export type Done = `${string} ${number}`

const practice = 'America/Toronto'
const hour = 3_600_000
const day = 24 * hour
const formats = new Map<string, Intl.DateTimeFormat>()
function local(at: number, zone: string) {
  // Making one takes far longer than using it.
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' })
  formats.set(zone, format)
  const [date = '', time = ''] = format.format(at).split(', ')
  return { date, time }
}
/** The first moment at which clocks in the zone show this, by trying each quarter of an hour. */
function moment(date: string, time: string, zone = practice): number {
  const guess = Date.parse(`${date}T${time}:00Z`)
  for (let at = guess + 2 * hour; at <= guess + 10 * hour; at += hour / 4) {
    const shown = local(at, zone)
    if (shown.date === date && shown.time === time) return at
  }
  throw new Error(`No ${date} ${time} in ${zone}`)
}
const plusDays = (date: string, days: number) => new Date(Date.parse(`${date}T12:00:00Z`) + days * day).toISOString().slice(0, 10)
const inDays = (at: number, days: number, time?: string) => {
  const shown = local(at, practice)
  return moment(plusDays(shown.date, days), time ?? shown.time)
}
function inWorkingDays(at: number, days: number, { holidays }: World): number {
  const shown = local(at, practice)
  let date = shown.date
  const isClosed = () => holidays.has(date) || [0, 6].includes(new Date(`${date}T12:00:00Z`).getUTCDay())
  while (isClosed()) date = plusDays(date, 1)
  for (let left = days; left > 0;) {
    date = plusDays(date, 1)
    if (!isClosed()) left--
  }
  return moment(date, shown.time)
}
/** Texts leave from 8 to 20 o'clock by the sequence, and from 9 to 21 by the practice. */
function awake(at: number, zone: string): boolean {
  const { time } = local(at, zone)
  return time >= '09:00' && time < '20:00'
}

type Step =
  | { do: string; text?: true }
  | { until: (began: number, plan: Plan, world: World) => number }
  | { ask: 'reply' | 'booking'; days: number; yes: Step[]; no: Step[] }
  | 'leave'
const wait = (until: (began: number, plan: Plan, world: World) => number): Step => ({ until })
const steps: Record<Kind, Step[]> = {
  lead: [
    { do: 'text 1', text: true },
    wait((began, _plan, world) => inWorkingDays(began, 1, world)),
    {
      ask: 'reply',
      days: 1,
      yes: [{ do: 'task yes' }, 'leave'],
      no: [
        { do: 'task no' },
        wait((began) => {
          const at = inDays(began, 2, '10:00')
          return at
        }),
        { do: 'text 2', text: true },
      ],
    },
    { do: 'task end' },
  ],
  tag: [
    { do: 'text 1', text: true },
    wait((began) => began + 3 * hour),
    { do: 'task' },
    wait((began) => inDays(began, 7)),
    { do: 'text 2', text: true },
  ],
  evening: [
    wait((began) => inDays(began, 14)),
    { do: 'text 1', text: true },
    wait((_began, plan) => inDays(plan.start, 20, '20:30')),
    { do: 'text 2', text: true },
  ],
  appointment: [
    wait((_began, plan) => inDays(plan.eventAt, -2, '09:00')),
    { do: 'text 1', text: true },
    wait((_began, plan) => inDays(plan.eventAt, -1, '17:00')),
    { do: 'task' },
  ],
  surgery: [
    { do: 'text 1', text: true },
    wait((began) => inDays(began, 2)),
    { do: 'text 2', text: true },
    { ask: 'booking', days: 5, yes: [{ do: 'task yes' }], no: [{ do: 'text no', text: true }] },
  ],
}
const exits: Record<Kind, { reply: boolean; booking: boolean }> = {
  lead: { reply: true, booking: true },
  tag: { reply: true, booking: true },
  evening: { reply: false, booking: false },
  appointment: { reply: true, booking: false },
  surgery: { reply: true, booking: true },
}

/** What is done for a patient, each with the tick at which it is. */
export function expected(plan: Plan, world: World): Done[] {
  const done: Done[] = []
  const taken = new Set<string>()
  let queue = [...steps[plan.kind]]
  let began = plan.start
  const has = (what: 'reply' | 'booking' | 'stop' | 'cancel', known: number) =>
    plan[what] !== null && plan[what] <= known && !taken.has(what)
  /** The branch that only waits part from where the patient stands. */
  const ahead = () => {
    const next = queue.find((step) => !(typeof step === 'object' && 'until' in step))
    return typeof next === 'object' && 'ask' in next ? next.ask : null
  }
  // At each look, what is due is done first; then comes what the patient does, and what follows from it.
  const looks = Array.from({ length: Math.floor((world.to - world.from) / world.tick) + 1 }, (_one, i) => world.from + i * world.tick)
  for (const [now, known] of looks.flatMap((at) => [[at, at - 1] as const, [at, at] as const])) {
    if (now < plan.start) continue
    for (;;) {
      if (has('stop', known) || has('cancel', known)) return done
      for (const what of ['booking', 'reply'] as const) if (has(what, known) && exits[plan.kind][what] && ahead() !== what) return done
      const step = queue[0]
      if (step === undefined || step === 'leave') return done
      if ('do' in step) {
        if (step.text && !awake(now, plan.zone)) break
        done.push(`${step.do} ${now}`)
        queue.shift()
        began = now
      } else if ('until' in step) {
        const asked = ahead()
        if (step.until(began, plan, world) > now && !(asked && has(asked, known))) break
        queue.shift()
        began = now
      } else {
        const isYes = has(step.ask, known)
        if (!isYes && inDays(began, step.days) > now) break
        if (isYes) taken.add(step.ask)
        queue = [...(isYes ? step.yes : step.no), ...queue.slice(1)]
        began = now
      }
    }
  }
  return done
}
