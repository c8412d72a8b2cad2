import { useRef, useState } from 'react'
import { messageFor, requestAccess } from './calls.ts'
import { Card, PortalButton, PortalField } from '../../ui/patient/parts.tsx'
import { isEmail, portalWords, type CodeWords } from './labels.ts'
import { useFocusOnArrival } from './useFocusOnArrival.ts'

interface RequestStageProps {
  email: string
  onEmail: (email: string) => void
  /** Why the patient is back: the session ended or they signed out. */
  notice: { text: string; isError: boolean } | null
  /** Whether they came from another stage, so that the field gets the focus. */
  isBack: boolean
  onSent: (email: string) => void
  /** In the patient's language; English unless stated. */
  words?: CodeWords
}

export function RequestStage({ email, onEmail, notice, isBack, onSent, words = portalWords }: RequestStageProps) {
  const [error, setError] = useState(notice?.isError ? notice.text : null)
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useFocusOnArrival(field, isBack)

  async function send() {
    const address = email.trim()
    const invalid = address === '' ? words.emailRequired : isEmail(address) ? null : words.emailInvalid
    setError(invalid)
    if (invalid) return field.current?.focus()
    setBusy(true)
    try {
      await requestAccess(address)
      onSent(address)
    } catch (refused) {
      setError(messageFor(refused, words))
      setBusy(false)
      field.current?.focus()
    }
  }

  return (
    <>
      <p className="max-w-[60ch] pt-1.5 text-portal text-fg-2">{words.intro}</p>
      {notice && !notice.isError && (
        <p role="status" className="pt-3 text-portal font-medium">
          {notice.text}
        </p>
      )}
      <Card className="mt-6" aria-label={words.requestCode}>
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (!busy) void send()
          }}
        >
          <PortalField
            ref={field}
            label={words.email}
            type="email"
            name="email"
            autoComplete="email"
            inputMode="email"
            value={email}
            onChange={({ target }) => onEmail(target.value)}
            error={error}
          />
          <PortalButton type="submit" variant="filled" block busy={busy} busyLabel={words.requestingCode}>
            {words.requestCode}
          </PortalButton>
        </form>
      </Card>
    </>
  )
}
