import { useQuery } from '@tanstack/react-query'
import { client, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Select } from '../../../ui/controls/Select.tsx'
import { today } from '../../../ui/format.ts'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { byLink, SendByField } from '../../templates/web/embed/SendByField.tsx'
import { isMinor } from '../rules.ts'
import { nextSurgery } from './next-surgery.ts'
import { sendingProblem } from './sending.ts'
import { checkSigner, noSigner, SignerFields, substituteOf } from './SignerFields.tsx'
import { surgeriesOf, SurgeryField } from './SurgeryField.tsx'

interface SendConsentDialogProps {
  contactId: string
  /** Gives everything that a surgery requires, by these titles, instead of one consent form. */
  required?: { surgeryId: string; titles: readonly string[] }
  onClose: () => void
  onSent: () => void
}

/** Gives a consent form to a patient, or all that a surgery requires, and says who signs. */
export default function SendConsentDialog({ contactId, required, onClose, onSent }: SendConsentDialogProps) {
  const areSeveral = required !== undefined && required.titles.length > 1
  const clock = useClock()
  const noun = areSeveral ? 'Consent forms' : 'Consent form'
  const created = areSeveral ? 'Links created. Copy them from the list.' : 'Link created. Copy it from the list.'
  const patient = useQuery(orpc.contacts.get.queryOptions({ input: { id: contactId } }))
  const templates = useQuery(orpc.consentForms.templates.queryOptions({ staleTime: 0 }))
  const surgeries = useQuery({ ...surgeriesOf(contactId), enabled: required === undefined })
  const sendable = templates.data?.filter(({ isActive, publishedNumber }) => isActive && publishedNumber !== null)
  const addresses = [patient.data?.email ?? null, ...(patient.data?.otherEmails ?? [])].filter((address) => address !== null)
  const hasToChoose = isMinor(patient.data?.dateOfBirth ?? null, today(clock))
  const surgeryFor = (templateId: string | null, chosen: string | null | undefined) =>
    chosen === undefined
      ? nextSurgery(
          surgeries.data ?? [],
          sendable?.find(({ id }) => id === templateId),
          clock.now,
        )
      : chosen
  const form = useActionForm({
    initial: {
      templateId: null as string | null,
      /** Undefined: not chosen, which is the next surgery that requires the form. */
      surgeryId: undefined as string | null | undefined,
      to: null as string | null,
      ...noSigner,
    },
    check: (values) => ({
      templateId: required === undefined && values.templateId === null ? 'Choose a consent form' : undefined,
      ...checkSigner(values, hasToChoose),
    }),
    async send({ templateId, surgeryId, to: given, ...signer }) {
      const chosen = given ?? addresses[0] ?? byLink
      const receiver = { email: chosen === byLink ? null : chosen, substitute: substituteOf(signer) }
      let link: string | null = null
      if (required !== undefined) await client.consentForms.sendRequired({ id: required.surgeryId, ...receiver })
      else
        link = (
          await client.consentForms.send({ contactId, templateId: templateId!, surgeryId: surgeryFor(templateId, surgeryId), ...receiver })
        ).link
      return { chosen, isCopied: link !== null && chosen === byLink && (await copied(link)) }
    },
    done: ({ chosen, isCopied }) => (chosen !== byLink ? `${noun} sent to ${chosen}` : isCopied ? 'Link copied' : created),
    onDone: onSent,
    refusals: { ALREADY_SENT: 'templateId' },
    onRefused: (error, problems) => (problems.form === undefined ? undefined : { form: sendingProblem(error) }),
  })
  const { values, problems } = form
  // Only one link fits on the clipboard.
  const linkAction =
    required === undefined
      ? { label: 'Copy link', busyLabel: 'Copying…' }
      : { label: `Create ${areSeveral ? 'links' : 'link'}`, busyLabel: 'Creating…' }
  const to = values.to ?? addresses[0] ?? byLink
  return (
    <ActionDialog
      title={areSeveral ? 'Send required consent forms' : 'Send consent form'}
      description={[
        required?.titles.join(', '),
        `The patient reads and signs ${areSeveral ? 'them' : 'it'} after entering a code from an email.`,
      ]
        .filter(Boolean)
        .join('. ')}
      form={form}
      action={{
        label: to === byLink ? linkAction.label : `Send ${noun.toLowerCase()}`,
        busyLabel: to === byLink ? linkAction.busyLabel : 'Sending…',
        isUnready: !patient.data || !sendable || (required === undefined && surgeries.isLoading),
      }}
      onClose={onClose}
    >
      {required === undefined && (
        <>
          <Field
            label="Consent form"
            error={problems.templateId}
            hint={
              sendable?.length === 0
                ? 'No consent form is published yet. An administrator publishes them under Settings, Consent forms.'
                : undefined
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
            value={surgeryFor(values.templateId, values.surgeryId)}
            onChange={(surgeryId) => form.set({ surgeryId })}
            error={problems.surgeryId}
            hint="The text names its procedures, surgeon and date."
          />
        </>
      )}
      <SignerFields label="Who signs" hasToChoose={hasToChoose} values={values} problems={problems} onChange={(part) => form.set(part)} />
      <SendByField
        addresses={addresses}
        value={to}
        onChange={(chosen) => form.set({ to: chosen })}
        linkLabel={required === undefined ? 'Link that you copy' : 'Link that you copy from the list'}
        linkHint="Give the link to the patient. It asks for a code that we send to the patient’s own email address."
        error={problems.email}
      />
    </ActionDialog>
  )
}

const copied = (link: string): Promise<boolean> =>
  navigator.clipboard.writeText(link).then(
    () => true,
    () => false,
  )
