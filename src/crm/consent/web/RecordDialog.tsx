import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { usePractice } from '../../../ui/client/session.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Select } from '../../../ui/Select.tsx'
import { Textarea } from '../../../ui/Textarea.tsx'
import { toast } from '../../../ui/toast.ts'
import { type ConsentWay, consentWays } from '../rules.ts'
import { sourceWords } from './labels.ts'

const maxWords = 2_000

interface RecordDialogProps {
  contactId: string
  unsubscribed: readonly string[]
  onClose: () => void
}

/** What a patient has agreed to, and how they said so. */
export default function RecordDialog({ contactId, unsubscribed, onClose }: RecordDialogProps) {
  const cache = useQueryClient()
  const { name } = usePractice()
  const [way, setWay] = useState<ConsentWay>('in_person')
  const [wording, setWording] = useState(`I would like ${name} to email me about treatments, events and offers.`)
  const [isTried, setTried] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const record = useMutation(
    orpc.consent.record.mutationOptions({
      onSuccess(state) {
        cache.setQueryData(orpc.consent.get.queryKey({ input: { id: contactId } }), state)
        void cache.invalidateQueries({ queryKey: orpc.contacts.get.key({ input: { id: contactId } }) })
        toast.success('Consent recorded')
        onClose()
      },
    }),
  )
  const problem = isTried && wording.trim() === '' ? 'Write what the patient agreed to' : undefined
  return (
    <Dialog open onOpenChange={onClose} title="Record consent" dismissible={!record.isPending}>
      <form
        noValidate
        className={dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          setTried(true)
          if (wording.trim() === '') field.current?.focus()
          else if (!record.isPending) record.mutate({ id: contactId, way, wording })
        }}
      >
        <DialogBody className="flex flex-col gap-4">
          {record.error && (
            <Alert tone="danger" title="The consent was not recorded.">
              {messageOf(record.error)}
            </Alert>
          )}
          {unsubscribed.length > 0 && (
            <Alert tone="warning" title={`${new Intl.ListFormat('en-CA').format(unsubscribed)} unsubscribed.`}>
              Recorded now, commercial email goes there again. Do so only if the patient has asked for it since.
            </Alert>
          )}
          <Field label="How it was given">
            <Select
              value={way}
              onValueChange={(next) => next && setWay(next)}
              options={consentWays.map((value) => ({ value, label: sourceWords[value] }))}
            />
          </Field>
          <Field label="What the patient agreed to" hint="Exact wording shown to the patient." error={problem}>
            <Textarea ref={field} rows={4} value={wording} maxLength={maxWords} onChange={({ target }) => setWording(target.value)} />
          </Field>
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={record.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="filled" busy={record.isPending} busyLabel="Recording...">
            Record consent
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
