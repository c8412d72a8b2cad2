import { useQueryClient } from '@tanstack/react-query'
import { client, codeOf, messageOf, orpc } from '../../../../ui/client/api.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { PanelSection } from '../../../../ui/display/Facts.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Form } from '../../../../ui/forms/Form.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { ContactPicker } from '../../../../crm/contacts/web/embed/ContactPicker.tsx'
import type { ConversationData } from '../inbox-data.ts'
import { namesOf } from './sender-name.ts'

/** An unknown sender: creates a patient or links an existing one in one click. */
export function UnknownSender({ conversation }: { conversation: ConversationData }) {
  const { id, name, address } = conversation
  const cache = useQueryClient()
  const form = useActionForm({
    initial: () => ({ ...namesOf(name, address), contactId: null as string | null, action: 'create' as 'create' | 'link' }),
    check: ({ action, lastName }) => ({
      lastName: action === 'create' && lastName.trim() === '' ? 'Last name is required' : undefined,
    }),
    send({ action, contactId, firstName, lastName }) {
      const sender = action === 'link' ? { contactId: contactId! } : { firstName: firstName.trim() || null, lastName: lastName.trim() }
      return client.inbox.link({ id, ...sender })
    },
    onDone({ contact }, { action }) {
      toast.success(
        action === 'create' ? 'Patient created' : 'Linked to patient',
        contact ? `${contact.firstName} ${contact.lastName}` : undefined,
      )
      void cache.invalidateQueries({ queryKey: orpc.inbox.key() })
    },
    onRefused(error, problems, { action }) {
      if (codeOf(error) !== 'LINKED_ALREADY') return problems.form ? { form: `${problems.form} Nothing was changed.` } : problems
      // The patient's panel replaces this one in a moment.
      toast.error(action === 'create' ? 'No patient was created' : 'Not linked to the patient', messageOf(error))
      void cache.invalidateQueries({ queryKey: orpc.inbox.key() })
      return {}
    },
  })
  const { problems, values } = form
  const busy = form.isBusy ? values.action : null
  function submit(action: 'create' | 'link') {
    form.set({ action })
    return form.submit()
  }

  return (
    <>
      <PanelSection title="Unknown sender">
        <p className="pb-3 text-sm break-words text-fg-2">
          {name ? `${name}, ` : ''}
          {address}. This conversation is no patient’s yet.
        </p>
        {problems.form && (
          <Alert tone="danger" className="mb-3">
            {problems.form}
          </Alert>
        )}
        <Form form={{ ...form, submit: () => submit('create') }} aria-label="New patient" className="flex flex-col gap-3">
          <Field label="First name" optional error={problems.firstName}>
            <Input {...form.text('firstName')} maxLength={100} />
          </Field>
          <Field label="Last name" error={problems.lastName}>
            <Input {...form.text('lastName')} maxLength={100} />
          </Field>
          <Button type="submit" busy={busy === 'create'} busyLabel="Creating…">
            Create patient
          </Button>
        </Form>
      </PanelSection>
      <PanelSection title="Link to existing patient">
        <div className="flex flex-col gap-3">
          <ContactPicker aria-label="Patient" {...form.bind('contactId')} clearable />
          <Button disabled={values.contactId === null} busy={busy === 'link'} busyLabel="Linking…" onClick={() => void submit('link')}>
            Link to the patient
          </Button>
        </div>
      </PanelSection>
    </>
  )
}
