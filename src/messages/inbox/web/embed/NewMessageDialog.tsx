import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, codeOf, messageOf, orpc } from '../../../../ui/client/api.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../ui/overlays/Dialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { RichTextField } from '../../../../ui/rich-text/RichText.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { ContactPicker } from '../../../../crm/contacts/web/embed/ContactPicker.tsx'
import { isFormatted, textOfWritten } from '../../../../platform/mail/written-rules.ts'
import { htmlFromText } from '../../../email-templates/rules.ts'
import { SignatureLine } from '../../../signatures/web/embed/SignatureLine.tsx'
import { inboxMessages } from '../../contract.ts'
import { MarketingField } from '../reply/MarketingField.tsx'
import { placeholdersIn } from '../reply/missing.ts'
import { inboxPictures } from '../reply/pictures.ts'
import { TemplatePicker } from '../reply/TemplatePicker.tsx'
import { useSend } from '../reply/useSend.ts'

interface NewMessageDialogProps {
  /** Opened from a patient's page: the recipient. */
  patient?: { id: string; firstName: string; lastName: string }
  onSent?: (conversation: string) => void
  onClose: () => void
}

/** Starts a conversation with a patient. */
export default function NewMessageDialog({ patient, onSent, onClose }: NewMessageDialogProps) {
  const message = useNewMessage(patient?.id ?? null, (conversation) => {
    onClose()
    onSent?.(conversation)
  })
  const { contactId, email, subject, text, errors, unknown, isBusy } = message

  return (
    <Dialog onClose={onClose} title="New message" size="md" dismissible={!isBusy && text.trim() === ''}>
      <form
        noValidate
        className={dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void message.submit()
        }}
      >
        <DialogBody className="flex flex-col gap-4">
          <Field label="Patient" error={errors.contact}>
            <ContactPicker
              value={contactId}
              selected={patient ?? null}
              disabled={patient !== undefined}
              onValueChange={message.choosePatient}
            />
          </Field>
          {contactId !== null && (
            <Field label="To" error={errors.email}>
              <Select
                value={email}
                onValueChange={message.chooseEmail}
                options={message.addresses.map((value) => ({ value, label: value }))}
              />
            </Field>
          )}
          <Field label="Subject" error={errors.subject}>
            <Input value={subject} maxLength={300} onChange={({ target }) => message.setSubject(target.value)} />
          </Field>
          <Field label="Message" error={errors.text}>
            <div className="field-edge rounded-md">
              <RichTextField
                label="Message"
                html={message.html}
                onChange={message.setHtml}
                pictures={inboxPictures(message.setAdding)}
                className="max-h-[40dvh] min-h-40 overflow-y-auto px-2.5 py-2 text-lg md:text-md"
              />
              <SignatureLine language={message.language} isLeftOut={message.isUnsigned} onChange={message.setUnsigned} />
            </div>
          </Field>
          {contactId !== null && email !== null && (
            <MarketingField
              isCommercial={message.isCommercial}
              isOffer={message.isOffer}
              onChange={message.markCommercial}
              contactId={contactId}
              address={email}
              refusal={message.refusal}
            />
          )}
          {unknown.length > 0 && (
            <Alert tone="warning" title={`No value for ${new Intl.ListFormat('en-CA').format(unknown)}.`}>
              Check the message before you send it.
            </Alert>
          )}
        </DialogBody>
        <DialogFooter note={contactId !== null && <TemplatePicker contactId={contactId} onInsert={message.insertTemplate} />}>
          <Button size="lg" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="filled" busy={isBusy} busyLabel="Sending…">
            Send message
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

/** The message that is being written to a patient, its errors, and how it is sent. */
function useNewMessage(patientId: string | null, onSent: (conversation: string) => void) {
  const [contactId, setContactId] = useState(patientId)
  const [chosen, setChosen] = useState<string | null>(null)
  const [subject, setSubject] = useState('')
  const [html, setHtml] = useState('')
  const text = textOfWritten(html)
  const [isUnsigned, setUnsigned] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const [templateId, setTemplateId] = useState<string | null>(null)
  const [isCommercial, setCommercial] = useState(false)
  const [isOffer, setOffer] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [missing, setMissing] = useState<string[]>([])
  const [isChecked, setChecked] = useState(false)
  const { send, isBusy } = useSend()
  const contact = useQuery(orpc.contacts.get.queryOptions({ input: { id: contactId ?? '' }, enabled: contactId !== null })).data
  const addresses = contact ? [contact.email, ...contact.otherEmails].filter((email) => email !== null) : []
  const email = chosen ?? addresses[0] ?? null
  const errors = {
    contact: contactId === null ? 'Choose a patient' : undefined,
    email: contact && email === null ? 'The patient has no address. Add one on their page first.' : undefined,
    subject: subject.trim() === '' ? inboxMessages.subject : undefined,
    text: isAdding ? 'Wait until the pictures are added' : text.trim() === '' ? inboxMessages.words : undefined,
  }
  const shown = (field: keyof typeof errors) => (isChecked ? errors[field] : undefined)
  const unknown = [...new Set([...placeholdersIn(`${subject} ${text}`), ...missing])]

  async function submit() {
    setChecked(true)
    if (contactId === null || email === null || Object.values(errors).some(Boolean)) return
    setRefusal(null)
    const words = isFormatted(html) ? { text: '', html } : { text }
    const sent = { contactId, email, subject: subject.trim(), ...words, withSignature: !isUnsigned, templateId }
    const content = { ...sent, isCommercial: isCommercial || isOffer }
    const started = await send(content, (mail) => client.inbox.start(mail), {
      tell(failure) {
        if (codeOf(failure) !== 'NO_CONSENT') return false
        setRefusal(messageOf(failure))
        return true
      },
    })
    if (!started) return
    toast.success(`The message to ${email} is on its way`)
    onSent(started.id)
  }

  return {
    contactId,
    addresses,
    email,
    subject,
    text,
    html,
    language: contact?.preferredLanguage ?? 'en',
    isUnsigned,
    isCommercial,
    isOffer,
    refusal,
    isBusy,
    unknown,
    /** The patient's lack of an address is shown at once, other errors after an attempt to send. */
    errors: { contact: shown('contact'), email: errors.email, subject: shown('subject'), text: shown('text') },
    setSubject,
    setHtml,
    setUnsigned,
    setAdding,
    choosePatient: (id: string | null) => {
      setContactId(id)
      setChosen(null)
      setRefusal(null)
    },
    chooseEmail: (next: string | null) => {
      setChosen(next)
      setRefusal(null)
    },
    markCommercial: (next: boolean) => {
      setCommercial(next)
      setRefusal(null)
    },
    insertTemplate: (rendered: { templateId: string; subject: string; text: string; missing: string[]; isOffer: boolean }) => {
      if (subject.trim() === '') setSubject(rendered.subject)
      setHtml(html + htmlFromText(rendered.text))
      setTemplateId(rendered.templateId)
      setMissing(rendered.missing)
      setOffer(isOffer || rendered.isOffer)
    },
    submit,
  }
}
