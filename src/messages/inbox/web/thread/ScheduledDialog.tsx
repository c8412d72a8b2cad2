import { useState } from 'react'
import { toInstant, toLocal } from '../../../../shared/zoned-time.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { DateInput, TimeInput } from '../../../../ui/controls/DateInput.tsx'
import { Textarea } from '../../../../ui/controls/Textarea.tsx'
import { today } from '../../../../ui/format.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../ui/overlays/Dialog.tsx'
import { RichTextField } from '../../../../ui/rich-text/RichText.tsx'
import { isFormatted, textOfWritten } from '../../../../platform/mail/written-rules.ts'
import { htmlFromText } from '../../../email-templates/rules.ts'
import { inboxMessages } from '../../contract.ts'
import { maxTextLength } from '../../text-rules.ts'
import type { ConversationData } from '../inbox-data.ts'
import { TextSize } from '../embed/TextSize.tsx'
import { inboxPictures } from '../reply/pictures.ts'

interface ScheduledDialogProps {
  message: ConversationData['scheduled'][number]
  onSave: (change: { text: string; html: string | null; sendAt: string }) => Promise<void>
  onClose: () => void
}

/** Changes the words and the time of a scheduled message. */
export default function ScheduledDialog({ message, onSave, onClose }: ScheduledDialogProps) {
  const clock = useClock()
  const first = toLocal(message.sendAt, clock.timeZone)
  const isEmail = message.channel === 'email'
  const [text, setText] = useState(message.text)
  const [html, setHtml] = useState(message.html ?? htmlFromText(message.text))
  const [isAdding, setAdding] = useState(false)
  const [day, setDay] = useState(first.day)
  const [time, setTime] = useState(first.time)
  const [isChecked, setChecked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const sendAt = day && time ? toInstant({ day, time }, clock.timeZone) : null
  const isPast = sendAt !== null && Date.parse(sendAt) <= new Date(clock.now).getTime()
  const problems = {
    text: isAdding ? 'Wait until the pictures are added' : text.trim() === '' ? inboxMessages.words : undefined,
    day: day === '' ? 'Choose a day' : undefined,
    time: time === '' ? 'Choose a time' : isPast ? 'Choose a time to come' : undefined,
  }
  const shown = (field: keyof typeof problems) => (isChecked ? problems[field] : undefined)
  async function save() {
    setChecked(true)
    if (sendAt === null || Object.values(problems).some(Boolean)) return
    setBusy(true)
    await onSave({ ...(isEmail && isFormatted(html) ? { text: '', html } : { text: text.trim(), html: null }), sendAt })
    setBusy(false)
  }
  return (
    <Dialog onClose={onClose} title="Change scheduled message" dismissible={!isBusy}>
      <form
        noValidate
        className={dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void save()
        }}
      >
        <DialogBody className="flex flex-col gap-4">
          <Field label="Message" error={shown('text')}>
            {isEmail ? (
              <div className="field-edge rounded-md">
                <RichTextField
                  label="Message"
                  html={html}
                  onChange={(next) => {
                    setHtml(next)
                    setText(textOfWritten(next))
                  }}
                  pictures={inboxPictures(setAdding)}
                  className="max-h-[40dvh] min-h-24 overflow-y-auto px-2.5 py-2 text-lg md:text-md"
                />
              </div>
            ) : (
              <Textarea rows={5} value={text} maxLength={maxTextLength} onChange={({ target }) => setText(target.value)} />
            )}
          </Field>
          {message.channel === 'sms' && <TextSize text={text} className="-mt-2" />}
          <div className="grid gap-4 md:grid-cols-2">
            <Field label="Day" error={shown('day')}>
              <DateInput value={day} min={today(clock)} onValueChange={setDay} />
            </Field>
            <Field label="Time" error={shown('time')}>
              <TimeInput value={time} onValueChange={setTime} />
            </Field>
          </div>
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="filled" busy={isBusy} busyLabel="Saving…">
            Save changes
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
