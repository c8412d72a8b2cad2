import { z } from 'zod'

const years = (iso: string) => {
  const year = Number(iso.slice(0, 4))
  return year >= 1900 && year <= 2200
}

/** A calendar day, YYYY-MM-DD, between 1900 and 2200. */
export const calendarDay = z.iso.date('Enter a date').refine(years, 'Enter a year between 1900 and 2200')

/** An ISO 8601 instant with offset, parsed to a Date. */
export const instant = z.iso
  .datetime({ offset: true, message: 'Enter a date and time' })
  .refine(years, 'Enter a year between 1900 and 2200')
  .transform((iso) => new Date(iso))

/** A time of day, HH:MM. */
export const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time as HH:MM')
