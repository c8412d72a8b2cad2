import { useEffect, useRef, useState } from 'react'
import { charactersOver, PortalButton, PortalTextArea } from '../../../../ui/patient/parts.tsx'
import { Choice, Choices } from './Choices.tsx'
import { type DayPart, dayParts } from '../../link-rules.ts'
import { formatWeekday } from '../../../../shared/translations.ts'
import { useLanguage } from '../../../../ui/patient/language.ts'
import { appointmentTexts } from '../../texts.ts'

const maxLength = 1_000

export interface RescheduleInput {
  /** Idempotency key: the same for every attempt to send this request. */
  key: string
  weekdays: number[]
  dayParts: DayPart[]
  words: string
}

interface AskFormProps {
  /** The days offered, 1 (Monday) to 7. */
  openDays: readonly number[]
  isBusy: boolean
  onAsk: (request: RescheduleInput) => void
  onBack: () => void
}

/** The times that would suit the patient. Every field is optional. */
export function RescheduleForm({ openDays, isBusy, onAsk, onBack }: AskFormProps) {
  const language = useLanguage()
  const t = appointmentTexts[language]
  const [key] = useState(() => crypto.randomUUID())
  const [weekdays, setWeekdays] = useState<number[]>([])
  const [parts, setParts] = useState<DayPart[]>([])
  const [words, setWords] = useState('')
  const first = useRef<HTMLInputElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => first.current?.focus(), [])
  return (
    <form
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        if (charactersOver(words, maxLength) > 0) field.current?.focus()
        else onAsk({ key, weekdays, dayParts: parts, words })
      }}
    >
      <p>{t('askIntro')}</p>
      <Choices legend={t('days')} note={t('optional')}>
        {openDays.map((day, index) => (
          <Choice
            key={day}
            ref={index === 0 ? first : undefined}
            checked={weekdays.includes(day)}
            onChange={(isChecked) => setWeekdays((before) => (isChecked ? [...before, day] : before.filter((other) => other !== day)))}
          >
            {formatWeekday(day, language)}
          </Choice>
        ))}
      </Choices>
      <Choices legend={t('times')} note={t('optional')}>
        {dayParts.map((part) => (
          <Choice
            key={part}
            checked={parts.includes(part)}
            onChange={(isChecked) => setParts((before) => (isChecked ? [...before, part] : before.filter((other) => other !== part)))}
          >
            {t(`dayParts.${part}`)}
          </Choice>
        ))}
      </Choices>
      <PortalTextArea
        ref={field}
        label={
          <>
            {t('more')} <span className="font-normal text-fg-3">{t('optional')}</span>
          </>
        }
        value={words}
        rows={4}
        limit={maxLength}
        error={null}
        onChange={({ target }) => setWords(target.value)}
      />
      <div className="flex flex-col gap-3 md:flex-row">
        <PortalButton type="submit" variant="filled" busy={isBusy} busyLabel={t('sending')}>
          {t('send')}
        </PortalButton>
        <PortalButton disabled={isBusy} onClick={onBack}>
          {t('back')}
        </PortalButton>
      </div>
    </form>
  )
}
