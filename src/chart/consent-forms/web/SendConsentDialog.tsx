import { useQuery } from '@tanstack/react-query'
import { client, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { formatDate } from '../../../ui/format.ts'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { signingLimits } from '../rules.ts'
import { sendingProblem } from './sending.ts'

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
  const { timeZone } = useClock()
  const patient = useQuery(orpc.contacts.get.queryOptions({ input: { id: contactId } }))
  const templates = useQuery(orpc.consentForms.templates.queryOptions({ staleTime: 0 }))
  const surgeries = useQuery(orpc.surgeries.ofContact.queryOptions({ input: { contactId } }))
  const sendable = templates.data?.filter(({ isActive, publishedNumber }) => isActive && publishedNumber !== null)
  const addresses = [patient.data?.email ?? null, ...(patient.data?.otherEmails ?? [])].filter((address) => address !== null)
  const form = useActionForm({
    initial: {
      templateId: null as string | null,
      surgeryId: null as string | null,
      to: null as string | null,
      signer: null as 'patient' | 'substitute' | null,
      name: '',
      relation: '',
    },
    check: ({ templateId, signer, name, relation }) => ({
      templateId: requiredBy === undefined && templateId === null ? 'Choose a consent form' : undefined,
      name: signer === 'substitute' && name.trim() === '' ? 'Enter the name' : undefined,
      relation: signer === 'substitute' && relation.trim() === '' ? 'Enter how they are related to the patient' : undefined,
    }),
    async send({ templateId, surgeryId, to, signer, name, relation }) {
      const chosen = to ?? addresses[0] ?? byLink
      const receiver = {
        email: chosen === byLink ? null : chosen,
        substitute: signer === null ? undefined : signer === 'patient' ? null : { name, relation },
      }
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
  const isSubstitute = values.signer === 'substitute'
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
          {surgeries.data && surgeries.data.length > 0 && (
            <Field label="Surgery" optional error={problems.surgeryId} hint="Its procedures, surgeon and day are named in the text.">
              <Select
                value={values.surgeryId}
                noneLabel="None"
                onValueChange={(surgeryId) => form.set({ surgeryId })}
                options={surgeries.data.map(({ id, procedures, startsAt }) => ({
                  value: id,
                  label: `${procedures.map(({ name }) => name).join(', ')}, ${formatDate(startsAt, timeZone)}`,
                }))}
              />
            </Field>
          )}
        </>
      )}
      <Field
        label="Who signs"
        error={problems.substitute}
        hint="Ontario has no age of consent: a provider decides whether the patient is capable of deciding."
      >
        <Select
          value={values.signer ?? (problems.substitute ? null : 'patient')}
          onValueChange={(signer) => form.set({ signer })}
          options={[
            { value: 'patient', label: 'The patient' },
            { value: 'substitute', label: 'A substitute decision-maker' },
          ]}
        />
      </Field>
      {isSubstitute && (
        <div className="grid gap-3 md:grid-cols-2">
          <Field label="Name" error={problems.name}>
            <Input {...form.text('name')} maxLength={signingLimits.name} autoComplete="off" />
          </Field>
          <Field label="Relation to the patient" error={problems.relation}>
            <Input {...form.text('relation')} maxLength={signingLimits.relation} autoComplete="off" />
          </Field>
        </div>
      )}
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
