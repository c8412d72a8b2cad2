import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLanguage } from '../../../ui/patient/language.ts'
import { charactersOver, PortalButton, PortalField, PortalTextArea } from '../../../ui/patient/parts.tsx'
import { bookingLimits } from '../rules.ts'
import type { Person } from './calls.ts'
import { bookingTexts } from './texts.ts'

interface DetailsStepProps {
  person: Person
  /** Fields that the server refused. */
  wrong: readonly string[]
  isBusy: boolean
  /** Whether the patient joins the waiting list instead of booking a time. */
  isWaiting: boolean
  error: ReactNode
  onChange: (person: Person) => void
  onBack: () => void
  onSend: (person: Person) => void
}

type Required = 'firstName' | 'lastName' | 'email'
const required: readonly Required[] = ['firstName', 'lastName', 'email']

/** Who comes. Nothing about a known patient is shown: only the code can tell who they are. */
export function DetailsStep({ person, wrong, isBusy, isWaiting, error, onChange, onBack, onSend }: DetailsStepProps) {
  const t = bookingTexts[useLanguage()]
  const [sent, setSent] = useState(person)
  const [missing, setMissing] = useState<readonly Required[]>([])
  const form = useRef<HTMLFormElement>(null)
  const isValid = (name: Required) => (name === 'email' ? /^\S+@\S+\.\S+$/.test(person.email.trim()) : person[name].trim() !== '')

  function submit() {
    const wrong = required.filter((name) => !isValid(name))
    setMissing(wrong)
    if (wrong[0]) form.current?.querySelector<HTMLInputElement>(`[name="${wrong[0]}"]`)?.focus()
    else if (charactersOver(person.words, bookingLimits.words) > 0) form.current?.querySelector('textarea')?.focus()
    else {
      setSent(person)
      onSend({ ...person, email: person.email.trim() })
    }
  }
  const bind = (name: 'firstName' | 'lastName' | 'email' | 'phone') => ({
    name,
    value: person[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => onChange({ ...person, [name]: value }),
  })
  // The server's word counts until the field is changed.
  const isRefused = (name: string) => wrong.includes(name) && person[name as keyof Person].trim() === sent[name as keyof Person].trim()
  const errorOf = (name: Required) => ((missing.includes(name) && !isValid(name)) || isRefused(name) ? t(`required.${name}`) : null)
  useEffect(() => {
    if (wrong[0]) form.current?.querySelector<HTMLInputElement>(`[name="${wrong[0]}"]`)?.focus()
  }, [wrong])
  return (
    <form
      ref={form}
      noValidate
      className="flex max-w-140 flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {error}
      <div className="grid gap-5 md:grid-cols-2">
        <PortalField label={t('firstName')} error={errorOf('firstName')} autoComplete="given-name" maxLength={100} {...bind('firstName')} />
        <PortalField label={t('lastName')} error={errorOf('lastName')} autoComplete="family-name" maxLength={100} {...bind('lastName')} />
      </div>
      <div>
        <PortalField
          label={t('email')}
          error={errorOf('email')}
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={254}
          {...bind('email')}
        />
        <p className="pt-2 text-title text-fg-2">{t(isWaiting ? 'emailHintWaiting' : 'emailHint')}</p>
      </div>
      <PortalField
        label={t('phone')}
        error={isRefused('phone') ? t('required.phone') : null}
        type="tel"
        autoComplete="tel"
        maxLength={50}
        {...bind('phone')}
      />
      <div>
        <PortalTextArea
          label={t('words')}
          rows={3}
          limit={bookingLimits.words}
          error={isRefused('words') ? t('required.words') : null}
          name="words"
          value={person.words}
          onChange={({ currentTarget: { value } }) => onChange({ ...person, words: value })}
        />
        <p className="pt-2 text-title text-fg-2">{t('wordsHint')}</p>
      </div>
      <div className="flex flex-wrap gap-3 pt-2">
        <PortalButton type="submit" variant="filled" className="max-md:w-full" busy={isBusy} busyLabel={t('sending')}>
          {t('sendCode')}
        </PortalButton>
        <PortalButton className="max-md:w-full" onClick={onBack}>
          {t('back')}
        </PortalButton>
      </div>
    </form>
  )
}
