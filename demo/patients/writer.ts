import { type Clock, isoDay, monthName, spokenDay, spokenTime, weekdayName, workday } from '../clock.ts'
import type { Journey } from './journey.ts'
import type { Procedure } from '../procedures.ts'
import type { Random } from '../random.ts'

/** Fills in the placeholders of a text written at an instant. */
export type Writer = (text: string, at: number) => string

type Subject = { isWoman: boolean; procedure: Procedure; journey: Journey }

const dollars = new Intl.NumberFormat('en-CA', { maximumFractionDigits: 0 })
const money = (cents: number) => `$${dollars.format(cents / 100)}`

export function createWriter({ isWoman, procedure, journey }: Subject, clock: Clock, random: Random): Writer {
  const monthsLater = random.int(2, 6)
  const { consult, surgery, quoteCents } = journey
  const fill = (placeholder: string, at: number): string => {
    const today = clock.dayOf(at)
    switch (placeholder) {
      case 'She':
        return isWoman ? 'She' : 'He'
      case 'she':
        return isWoman ? 'she' : 'he'
      case 'Her':
        return isWoman ? 'Her' : 'His'
      case 'her':
        return isWoman ? 'her' : 'his'
      case 'them':
        return isWoman ? 'her' : 'him'
      case 'procedure':
        return procedure.spoken
      case 'topic':
        return procedure.spoken.replace(/^an? /, '')
      case 'provider':
        return 'Dr. Okafor'
      case 'day':
        return weekdayName(workday(today + 2))
      case 'month':
        return monthName(today + monthsLater * 30)
      case 'consult':
        return consult ? `${weekdayName(consult.day)}, ${spokenDay(consult.day)} at ${spokenTime(consult.minutes)}` : 'the next open day'
      case 'surgery':
        return surgery ? spokenDay(surgery.day) : 'the date offered'
      case 'price':
        return quoteCents ? money(quoteCents) : `$${dollars.format(procedure.from)}`
      case 'deposit':
        return money(surgery ? Math.round(surgery.revenueCents / 500_000) * 100_000 || 50_000 : 100_000)
      default:
        return isoDay(today)
    }
  }
  // A time at the end of a sentence already ends in a period.
  return (text, at) => text.replace(/\{(\w+)\}/g, (_placeholder, name: string) => fill(name, at)).replace('.m..', '.m.')
}
