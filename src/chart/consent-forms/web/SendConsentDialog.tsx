import { useQuery } from '@tanstack/react-query'
import { client, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Select } from '../../../ui/controls/Select.tsx'
import { today } from '../../../ui/format.ts'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { isMinor } from '../rules.ts'
import { sendingProblem } from './sending.ts'
import { checkSigner, noSigner, SignerFields, substituteOf } from './SignerFields.tsx'
import { SurgeryField } from './SurgeryField.tsx'

interface SendConsentDialogProps {
  contactId: string
  /** Gives everything that this surgery requires, instead of one consent form. */
  requiredBy?: string
  onClose: () => void
  onSent: () => void
}

/** The choice without an address. */
const byLink = 'link'

/** Gives a consent form to a patient, or all that a surgery requires, and says who signs. */
export default function SendConsentDialog({ contactId, requiredBy, onClose, onSent }: SendConsentDialogProps) {
  const patient = useQuery(orpc.contacts.get.queryOptions({ input: { id: contactId } }))
  const templates = useQuery(orpc.consentForms.templates.queryOptions({ staleTime: 0 }))
  const sendable = templates.data?.filter(({ isActive, publishedNumber }) => isActive && publishedNumber !== null)
  const addresses = [patient.data?.email ?? null, ...(patient.data?.otherEmails ?? [])].filter((address) => address !== null)
  const hasToChoose = isMinor(patient.data?.dateOfBirth ?? null, today(useClock()))
  const form = useActionForm({
    initial: {
      templateId: null as string | null,
      surgeryId: null as string | null,
      to: null as string | null,
      ...noSigner,
    },
    check: (values) => ({
      templateId: requiredBy === undefined && values.templateId === null ? 'Choose a consent form' : undefined,
      ...checkSigner(values, hasToChoose),
    }),
    async send({ templateId, surgeryId, to, ...signer }) {
      const chosen = to ?? addresses[0] ?? byLink
      const receiver = { email: chosen === byLink ? null : chosen, substitute: substituteOf(signer) }
      if (requiredBy !== undefined) await client.consentForms.sendRequired({ id: requiredBy, ...receiver })
      else await client.consentForms.send({ contactId, templateId: templateId!, surgeryId, ...receiver })
      return chosen
    },
    done: (chosen) => (chosen === byLink ? 'Links made. Copy them from the list.' : `Sent to ${chosen}`),
    onDone: onSent,
    refusals: { ALREADY_SENT: 'templateId' },
    onRefused: (error, problems) => (problems.form === undefined ? undefined : { form: sendingProblem(error) }),
  })
  const { values, problems } = form
  return (
    <ActionDialog
      title={requiredBy === undefined ? 'Send consent form' : 'Send required consent forms'}
      description="The patient reads and signs it after entering a code from an email."
      form={form}
      action={{ label: 'Send', busyLabel: 'Sending…', isUnready: !patient.data || !sendable }}
      onClose={onClose}
    >
      {requiredBy === undefined && (
        <>
          <Field
            label="Consent form"
            error={problems.templateId}
            hint={
              sendable?.length === 0 ? 'None is published yet. An administrator publishes them under Settings, Consent forms.' : undefined
            }
          >
            {/* There while they load too, to have the focus first. */}
            <Select
              value={values.templateId}
              onValueChange={(templateId) => form.set({ templateId })}
              options={sendable?.map(({ id, title }) => ({ value: id, label: title.en })) ?? []}
            />
          </Field>
          <SurgeryField
            contactId={contactId}
            value={values.surgeryId}
            onChange={(surgeryId) => form.set({ surgeryId })}
            error={problems.surgeryId}
            hint="Its procedures, surgeon and day are named in the text."
          />
        </>
      )}
      <SignerFields label="Who signs" hasToChoose={hasToChoose} values={values} problems={problems} onChange={(part) => form.set(part)} />
      <Field label="How" error={problems.email}>
        <Select
          value={values.to ?? addresses[0] ?? byLink}
          onValueChange={(to) => form.set({ to })}
          options={[
            ...addresses.map((address) => ({ value: address, label: `Email to ${address}` })),
            { value: byLink, label: 'Make a link' },
          ]}
        />
      </Field>
    </ActionDialog>
  )
}
