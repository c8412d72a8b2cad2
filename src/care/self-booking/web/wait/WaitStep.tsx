import { type ReactNode, useState } from 'react'
import { formatWeekday } from '../../../../shared/translations.ts'
import { daysLater, toLocal } from '../../../../shared/zoned-time.ts'
import { useLanguage } from '../../../../ui/patient/language.ts'
import { PortalButton, PortalField } from '../../../../ui/patient/parts.tsx'
import { type DayPart, dayParts } from '../../../appointments/link-rules.ts'
import { Choice, Choices } from '../../../appointments/web/embed/Choices.tsx'
import { describeWish } from '../../../waiting-list/wish-rules.ts'
import { offerTexts } from '../../../waiting-list/texts.ts'
import { bookingTexts } from '../texts.ts'
import { waitTexts } from './texts.ts'

/** When a visit would suit the patient: days from 1 (Monday) to 7, and 'yyyy-MM-dd'. */
export interface Times {
  weekdays: number[]
  dayParts: DayPart[]
  fromDay: string
  toDay: string
}

/** How long a patient waits unless they choose another day, and at most. */
const [defaultDays, maxDays] = [60, 365]

interface WaitStepProps {
  timeZone: string
  /** On which the practice is open, 1 (Monday) to 7. */
  openDays: readonly number[]
  /** What was chosen before. */
  times: Times | null
  isBusy: boolean
  error: ReactNode
  isProven: boolean
  onBack: () => void
  onContinue: (times: Times) => void
}

/** For when no time suits: what to wait for. */
export default function WaitStep({ timeZone, openDays, times, isBusy, error, isProven, onBack, onContinue }: WaitStepProps) {
  const language = useLanguage()
  const t = bookingTexts[language]
  const tw = waitTexts[language]
  const [today] = useState(() => toLocal(new Date(), timeZone).day)
  const [wanted, setWanted] = useState<Times>(times ?? { weekdays: [], dayParts: [], fromDay: today, toDay: daysLater(today, defaultDays) })
  const isLate = wanted.toDay < today || wanted.toDay > daysLater(today, maxDays)
  const toggled = <Item,>(all: readonly Item[], item: Item, isOn: boolean) =>
    isOn ? [...all, item] : all.filter((other) => other !== item)
  return (
    <form
      noValidate
      className="flex max-w-140 flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isLate) onContinue(wanted)
      }}
    >
      <p>{tw('waitIntro')}</p>
      {error}
      <Choices legend={tw('waitDays')} note={tw('allIfNone')}>
        {openDays.map((day) => (
          <Choice
            key={day}
            checked={wanted.weekdays.includes(day)}
            onChange={(isOn) => setWanted({ ...wanted, weekdays: toggled(wanted.weekdays, day, isOn) })}
          >
            {formatWeekday(day, language)}
          </Choice>
        ))}
      </Choices>
      <Choices legend={tw('waitTimes')} note={tw('allIfNone')}>
        {dayParts.map((part) => (
          <Choice
            key={part}
            checked={wanted.dayParts.includes(part)}
            onChange={(isOn) => setWanted({ ...wanted, dayParts: toggled(wanted.dayParts, part, isOn) })}
          >
            {offerTexts[language](`times.dayParts.${part}`)}
          </Choice>
        ))}
      </Choices>
      <PortalField
        label={tw('waitUntil')}
        error={isLate ? tw('waitLate') : null}
        type="date"
        className="max-w-60"
        min={today}
        max={daysLater(today, maxDays)}
        value={wanted.toDay}
        onChange={({ currentTarget: { value } }) => setWanted({ ...wanted, toDay: value })}
      />
      <div className="flex flex-wrap gap-3">
        <PortalButton type="submit" variant="filled" className="max-md:w-full" busy={isBusy} busyLabel={t('sending')}>
          {isProven ? t('waitJoin') : t('continue')}
        </PortalButton>
        <PortalButton className="max-md:w-full" onClick={onBack}>
          {t('back')}
        </PortalButton>
      </div>
    </form>
  )
}

/** The patient is on the waiting list: what happens next, and for which times. */
export function WaitingStep({ email, hasPhone, times }: { email: string; hasPhone: boolean; times: Times }) {
  const language = useLanguage()
  const tw = waitTexts[language]
  return (
    <div className="flex flex-col gap-5">
      <p className="wrap-anywhere">{tw(hasPhone ? 'waitingText' : 'waiting', { email })}</p>
      <section className="border-t border-line pt-5">
        <h2 className="pb-2 text-lg font-semibold">{tw('waitingFor')}</h2>
        <ul className="flex flex-col gap-1.5 text-lg">
          {describeWish({ ...times, provider: null, fromDay: null }, language).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
      <p className="text-title text-fg-2">{tw('waitingEnd')}</p>
    </div>
  )
}
