import { useQuery } from '@tanstack/react-query'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { Select } from '../../../ui/controls/Select.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import type { ContactData } from '../../../crm/contacts/web/embed/contact-data.ts'
import { toLanguage } from '../../../shared/translations.ts'
import { byLink, SendByField } from '../../templates/web/embed/SendByField.tsx'
import { openDays } from '../status-rules.ts'

interface SendFormDialogProps {
  patient: ContactData
  onClose: () => void
  onSent: () => void
}

const languageHint = (preferred: string | null): string =>
  toLanguage(preferred) === null
    ? 'The email is in English, and the form in the language of the patient’s browser. The patient can switch it.'
    : `In ${preferred === 'fr' ? 'French' : 'English'}. The patient can switch the language.`

export default function SendFormDialog({ patient, onClose, onSent }: SendFormDialogProps) {
  const templates = useQuery(orpc.forms.templates.queryOptions({ staleTime: 0 }))
  // An error is said where the form is chosen.
  const sendable = templates.data?.filter(({ isActive, publishedNumber }) => isActive && publishedNumber !== null)
  const addresses = [patient.email, ...patient.otherEmails].filter((address) => address !== null)
  const form = useActionForm({
    initial: { templateId: null as string | null, to: addresses[0] ?? byLink },
    check: ({ templateId }) => ({ templateId: templateId === null ? 'Choose a form' : undefined }),
    async send({ templateId, to }) {
      const sent = await client.forms.send({ contactId: patient.id, templateId: templateId!, email: to === byLink ? null : to })
      const isCopied =
        to === byLink &&
        (await navigator.clipboard.writeText(sent.link).then(
          () => true,
          () => false,
        ))
      return { isCopied }
    },
    done: ({ isCopied }, { to }) =>
      to === byLink ? (isCopied ? 'Link copied' : 'Link created. Copy it from the list.') : `Form sent to ${to}`,
    onDone: onSent,
    refusals: { ALREADY_SENT: 'templateId' },
  })
  const isEmail = form.values.to !== byLink
  return (
    <ActionDialog
      title="Send form"
      description={`The patient fills it in after entering a code from an email. It stays open for ${openDays} days.`}
      form={form}
      action={{
        label: isEmail ? 'Send form' : 'Copy link',
        busyLabel: isEmail ? 'Sending…' : 'Copying…',
        isUnready: sendable === undefined || sendable.length === 0,
      }}
      onClose={onClose}
    >
      <Field
        label="Form"
        error={form.problems.templateId}
        hint={
          templates.error
            ? messageOf(templates.error)
            : sendable?.length === 0
              ? 'No form is published yet. An administrator publishes them under Settings, Forms.'
              : undefined
        }
      >
        {/* Also while the forms are loaded, so that it has the focus. */}
        <Select
          value={form.values.templateId}
          onValueChange={(templateId) => form.set({ templateId })}
          options={(sendable ?? []).map(({ id, title }) => ({ value: id, label: title.en }))}
        />
      </Field>
      <SendByField
        addresses={addresses}
        value={form.values.to}
        onChange={(to) => form.set({ to })}
        hint={languageHint(patient.preferredLanguage)}
        linkLabel="Link that you copy"
        linkHint="Give the link to the patient. It asks for a code that we send to the patient’s own email address."
        error={form.problems.email}
      />
    </ActionDialog>
  )
}
