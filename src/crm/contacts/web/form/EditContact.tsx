import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { client, orpc } from '../../../../ui/client/api.ts'
import { TopbarTitle } from '../../../../ui/layout/TopbarTitle.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { type ContactData, fullName } from '../embed/contact-data.ts'
import { useDirectory } from '../embed/useDirectory.ts'
import { clashesOf } from '../embed/form/conflict.ts'
import { ConflictDialog } from '../embed/form/ConflictDialog.tsx'
import { EmailField } from '../embed/form/EmailField.tsx'
import { FormFrame } from './FormFrame.tsx'
import { useContactForm } from '../embed/form/useContactForm.ts'
import { useUnsavedGuard } from '../../../../ui/forms/useUnsavedGuard.tsx'

/**
 * /contacts/{id}/edit (spec 2). Sends the changed fields with the version they are based on. If someone else changed the same fields, the
 * user decides each and the rest is saved on top of their version, so that nothing is overwritten unseen.
 */
export function EditContact({ contact }: { contact: ContactData }) {
  const navigate = useNavigate()
  const cache = useQueryClient()
  const directory = useDirectory()
  const { id } = contact
  const { form, base, mine, resolveConflict, clinical, clock } = useContactForm(contact, {
    async send(fields, version) {
      if (Object.keys(fields).length > 0) {
        cache.setQueryData(orpc.contacts.get.queryKey({ input: { id } }), await client.contacts.update({ id, version, ...fields }))
        void cache.invalidateQueries({ queryKey: orpc.contacts.list.key() })
        toast.success('Changes saved')
      }
      guard.leave(() => void navigate({ to: '/contacts/$id', params: { id }, replace: true }))
    },
    failed: (message) => toast.error('The changes were not saved', `${message} What you typed is kept.`),
  })
  const { conflict } = form
  const guard = useUnsavedGuard(() => form.isDirty)

  return (
    <>
      <TopbarTitle title={`Edit ${fullName(base ?? contact)}`} />
      <FormFrame
        form={form}
        directory={directory}
        clinical={clinical}
        clock={clock}
        submitLabel="Save changes"
        cancel={{ to: '/contacts/$id', params: { id } }}
        email={<EmailField form={form} />}
      />
      {conflict && (
        <ConflictDialog
          key={conflict.current.version}
          clashes={clashesOf(conflict, mine, directory, clock)}
          busy={form.isBusy}
          onClose={form.dismissConflict}
          onSave={(choices) => void resolveConflict(conflict, choices)}
        />
      )}
      {guard.dialog}
    </>
  )
}
