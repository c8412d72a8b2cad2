import { useQuery } from '@tanstack/react-query'
import { Moon } from 'lucide-react'
import { useState } from 'react'
import { client, codeOf, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Textarea } from '../../../../ui/controls/Textarea.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { formatDateTime, formatPhone, formatTimeOfDay } from '../../../../ui/format.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../ui/overlays/Dialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { inboxMessages } from '../../contract.ts'
import { maxTextLength, phoneProblems } from '../../text-rules.ts'
import { MarketingField } from '../reply/MarketingField.tsx'
import { TextSize, useNight } from './TextSize.tsx'
import { useSend } from '../reply/useSend.ts'

interface NewTextDialogProps {
  patient: { id: string; firstName: string; lastName: string }
  /** What the message begins with. */
  initialText?: string
  onClose: () => void
}

/** Texts one of a patient's phones, or says why none can be texted. */
export default function NewTextDialog({ patient, initialText = '', onClose }: NewTextDialogProps) {
  const phones = useQuery(orpc.inbox.phones.queryOptions({ input: { contactId: patient.id } }))
  const [chosen, setChosen] = useState<string | null>(null)
  const [text, setText] = useState(initialText)
  const [isCommercial, setCommercial] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isChecked, setChecked] = useState(false)
  const { send, isBusy } = useSend()
  const clock = useClock()
  const night = useNight(patient.id)
  const listed = phones.data?.phones ?? []
  const open = listed.filter(({ problem }) => problem === null)
  const phone = chosen ?? open[0]?.phone ?? null
  const why = phones.data && whyNone(phones.data)

  /** When the quiet hours end that the patient is in. */
  async function schedule(sendAt: string) {
    setChecked(true)
    if (phone === null || text.trim() === '') return
    const none = { threadId: null, subject: null, templateId: null }
    const content = { contactId: patient.id, channel: 'sms' as const, address: phone, text: text.trim(), isCommercial, sendAt, ...none }
    if (!(await send(content, (given) => client.inbox.schedule(given), { failed: 'Couldn’t schedule the message' }))) return
    toast.success(`Scheduled for ${formatDateTime(sendAt, clock)}`)
    onClose()
  }

  async function submit() {
    setChecked(true)
    if (phone === null || text.trim() === '') return
    const content = { contactId: patient.id, phone, text: text.trim(), isCommercial }
    setRefusal(null)
    const sent = await send(content, (given) => client.inbox.text(given), {
      failed: inboxMessages.sendText,
      tell(failure) {
        if (codeOf(failure) !== 'NO_CONSENT') return false
        setRefusal(messageOf(failure))
        return true
      },
    })
    if (!sent) return
    toast.success(`The text message to ${formatPhone(phone)} is on its way`)
    onClose()
  }

  return (
    <Dialog
      onClose={onClose}
      title={`Text ${`${patient.firstName} ${patient.lastName}`.trim()}`}
      dismissible={!isBusy && (text.trim() === '' || text === initialText)}
    >
      <form
        noValidate
        className={dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void submit()
        }}
      >
        <DialogBody className="flex flex-col gap-4">
          {phones.isPending && (
            <div role="status" aria-label="Loading" className="flex flex-col gap-3">
              <Skeleton className="w-2/3" />
              <Skeleton className="w-1/2" />
            </div>
          )}
          {phones.error && (
            <ErrorState title="Couldn’t load the phone numbers" onRetry={() => void phones.refetch()} retrying={phones.isFetching}>
              {messageOf(phones.error)}
            </ErrorState>
          )}
          {why && (
            <Alert tone="warning" title={why.title}>
              {why.advice}
            </Alert>
          )}
          {phone !== null && !why && (
            <>
              <Field label="To">
                <Select
                  value={phone}
                  onValueChange={setChosen}
                  options={open.map((one) => ({ value: one.phone, label: formatPhone(one.phone) }))}
                />
              </Field>
              <Field label="Message" error={isChecked && text.trim() === '' ? inboxMessages.words : undefined}>
                <Textarea rows={5} maxLength={maxTextLength} value={text} onChange={({ target }) => setText(target.value)} />
              </Field>
              <TextSize text={text} contactId={patient.id} isCommercial={isCommercial} className="-mt-2" />
              <MarketingField
                isCommercial={isCommercial}
                isOffer={false}
                onChange={setCommercial}
                contactId={patient.id}
                channel="text"
                address={phone}
                refusal={refusal}
              />
            </>
          )}
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={isBusy} onClick={onClose}>
            {why ? 'Close' : 'Cancel'}
          </Button>
          {phone !== null && !why && night && (
            <Button size="lg" icon={<Moon />} disabled={isBusy} onClick={() => void schedule(night.endsAt)}>
              Send at {formatTimeOfDay(night.endTime)}
            </Button>
          )}
          {phone !== null && !why && (
            <Button type="submit" size="lg" variant="filled" busy={isBusy} busyLabel="Sending…">
              {night ? 'Send now' : 'Send text'}
            </Button>
          )}
        </DialogFooter>
      </form>
    </Dialog>
  )
}

type Phones = { isSetUp: boolean; phones: readonly { phone: string; problem: keyof typeof phoneProblems | null }[] }

/** Why no phone can be texted. Null: one can. */
function whyNone({ isSetUp, phones }: Phones): { title: string; advice: string } | null {
  if (!isSetUp) return { title: 'Text messages are not set up.', advice: 'An administrator finds how under Settings, Integrations.' }
  if (phones.length === 0) return { title: 'The patient has no phone number.', advice: 'Add one on their page first.' }
  if (phones.some(({ problem }) => problem === null)) return null
  const reasons = phones.map(({ phone, problem }) => `${formatPhone(phone)}: ${phoneProblems[problem ?? 'incomplete']}`)
  return { title: 'No number of this patient can be texted.', advice: reasons.join(' ') }
}
