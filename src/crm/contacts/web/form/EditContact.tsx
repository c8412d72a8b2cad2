import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { applyFieldErrors } from '../../../../ui/client/form-errors.ts'
import { TopbarTitle } from '../../../../ui/layout/TopbarTitle.tsx'
import { toast } from '../../../../ui/toast.ts'
import { type ContactData, fullName } from '../embed/contact-data.ts'
import { useDirectory } from '../embed/useDirectory.ts'
import { type Conflict, conflictOf } from '../embed/refusals.ts'
import { type Choices, clashesOf, withoutTheirs } from '../embed/form/conflict.ts'
import { ConflictDialog } from '../embed/form/ConflictDialog.tsx'
import { EmailField } from '../embed/form/EmailField.tsx'
import { FormFrame } from './FormFrame.tsx'
import type { ContactFields } from '../embed/form/form-values.ts'
import { useContactForm } from '../embed/form/useContactForm.ts'
import { useUnsavedGuard } from '../../../../ui/useUnsavedGuard.tsx'

/**
 * Spec 2: /contacts/{id}/edit. Sends the changed fields with the version they were changed on. Where someone else changed the same ones
 * in the meantime, each is decided here and what is left of ours goes on top of their version: nothing is overwritten unseen.
 */
export function EditContact({ contact }: { contact: ContactData }) {
  const navigate = useNavigate()
  const cache = useQueryClient()
  const directory = useDirectory()
  const [base, setBase] = useState(contact)
  const { form, clinical, clock, rebase } = useContactForm(base)
  const [refused, setRefused] = useState<{ conflict: Conflict; mine: Partial<ContactFields> } | null>(null)
  const [busy, setBusy] = useState(false)
  const { isDirty } = form.formState
  const guard = useUnsavedGuard(() => isDirty)
  const { id } = contact
  const key = orpc.contacts.get.queryKey({ input: { id } })

  async function save(fields: Partial<ContactFields>, version: number) {
    setBusy(true)
    try {
      if (Object.keys(fields).length > 0) {
        cache.setQueryData(key, await client.contacts.update({ id, version, ...fields }))
        void cache.invalidateQueries({ queryKey: orpc.contacts.list.key() })
        toast.success('Changes saved')
      }
      guard.leave(() => void navigate({ to: '/contacts/$id', params: { id }, replace: true }))
    } catch (error) {
      const conflict = conflictOf(error)
      setRefused(conflict && { conflict, mine: fields })
      if (!conflict && !applyFieldErrors(form, error)) {
        toast.error('The changes were not saved', `${messageOf(error)} What you typed is kept.`)
      }
    } finally {
      setBusy(false)
    }
  }

  /** The form goes on over their version, with what stays ours still typed in it. */
  async function settle(conflict: Conflict, mine: Partial<ContactFields>, choices: Choices) {
    const rest = withoutTheirs(mine, choices)
    setBase(conflict.current)
    cache.setQueryData(key, conflict.current)
    rebase(conflict.current, rest)
    await save(rest, conflict.current.version)
  }

  return (
    <>
      <TopbarTitle title={`Edit ${fullName(base)}`} />
      <FormFrame
        form={form}
        directory={directory}
        clinical={clinical}
        clock={clock}
        busy={busy}
        submitLabel="Save changes"
        cancel={{ to: '/contacts/$id', params: { id } }}
        onSubmit={({ fields }) => save(fields, base.version)}
        email={<EmailField control={form.control} />}
      />
      {refused && (
        <ConflictDialog
          key={refused.conflict.current.version}
          clashes={clashesOf(refused.conflict, refused.mine, directory, clock)}
          busy={busy}
          onClose={() => setRefused(null)}
          onSave={(choices) => void settle(refused.conflict, refused.mine, choices)}
        />
      )}
      {guard.dialog}
    </>
  )
}
