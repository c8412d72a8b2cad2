import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../../web/api.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../../web/ui/Dialog.tsx'
import { Field } from '../../../../web/ui/Field.tsx'
import { toast } from '../../../../web/ui/toast.ts'
import { ContactPicker } from '../embed/ContactPicker.tsx'
import { type ContactData, type ContactRow, fullName } from '../embed/contact-data.ts'

/** Spec 4: merges this patient into another one, who is picked here. The server does it whole or not at all. */
export default function MergeDialog({ contact, onClose }: { contact: ContactData; onClose: () => void }) {
  const navigate = useNavigate()
  const cache = useQueryClient()
  const merge = useMutation(orpc.contacts.merge.mutationOptions())
  const [target, setTarget] = useState<ContactRow | null>(null)
  const [error, setError] = useState<string>()
  const name = fullName(contact)

  async function submit() {
    if (!target) {
      setError('Choose the patient to keep')
      return
    }
    try {
      const seen = await client.contacts.mergePreview({ id: target.id, sourceId: contact.id })
      const merged = await merge.mutateAsync({
        id: target.id,
        version: seen.target.version,
        sourceId: contact.id,
        sourceVersion: seen.source.version,
      })
      await navigate({ to: '/contacts/$id', params: { id: merged.id }, replace: true })
      cache.removeQueries({ queryKey: orpc.contacts.get.key({ input: { id: contact.id } }) })
      void cache.invalidateQueries({ queryKey: orpc.contacts.key() })
      void cache.invalidateQueries({ queryKey: orpc.interactions.key() })
      toast.success(`${name} was merged into ${fullName(merged)}`)
    } catch (failure) {
      setError(`Failed to merge contacts. Nothing was changed. ${messageOf(failure)}`)
    }
  }

  return (
    <Dialog open onOpenChange={onClose} title={`Merge ${name}`} dismissible={!merge.isPending}>
      <DialogBody className="flex flex-col gap-4">
        <Field label="Into" error={error}>
          <ContactPicker
            value={target?.id ?? null}
            selected={target}
            exclude={[contact.id]}
            onValueChange={(_id, row) => {
              setTarget(row)
              setError(undefined)
            }}
          />
        </Field>
        <ul className="flex list-disc flex-col gap-1 pl-4 text-sm text-fg-2 marker:text-fg-3">
          <li>The timeline, tags and lead forms of {name} move over.</li>
          <li>Surgical date, revenue, procedure and weight-loss medication are filled in only where they are missing.</li>
          <li>
            {target ? `${fullName(target)} stays as the one patient, and` : 'Then'} {name} is deleted.
          </li>
        </ul>
      </DialogBody>
      <DialogFooter>
        <Button size="lg" disabled={merge.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button size="lg" variant="danger-filled" busy={merge.isPending} busyLabel="Merging..." onClick={() => void submit()}>
          Merge patients
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
