import { useQuery } from '@tanstack/react-query'
import { client, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { DateInput } from '../../../ui/controls/DateInput.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { today } from '../../../ui/format.ts'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { DocumentPicker } from '../../../documents/web/embed/DocumentPicker.tsx'
import { type PhotoScope, photoScopes } from '../definition-rules.ts'
import { isMinor } from '../rules.ts'
import { scopeLabels } from './labels.ts'
import { nextSurgery } from './next-surgery.ts'
import { checkSigner, noSigner, SignerFields, substituteOf } from './SignerFields.tsx'
import { surgeriesOf, SurgeryField } from './SurgeryField.tsx'

/** What is recorded; what is known when the dialog opens is not asked for. */
export interface PaperOf {
  contactId: string
  templateId?: string
  surgeryId?: string | null
}

/** Records that a consent form was signed on paper, with its scan. */
export default function PaperDialog({ of, onDone, onClose }: { of: PaperOf; onDone: () => void; onClose: () => void }) {
  const clock = useClock()
  const { contactId } = of
  const patient = useQuery(orpc.contacts.get.queryOptions({ input: { id: contactId } }))
  const templates = useQuery(orpc.consentForms.templates.queryOptions({ staleTime: 0 }))
  const published = templates.data?.filter(({ publishedNumber }) => publishedNumber !== null)
  const templateOf = (id: string | null) => published?.find((one) => one.id === id)
  const surgeries = useQuery({ ...surgeriesOf(contactId), enabled: of.surgeryId === undefined })
  const surgeryFor = (templateId: string | null, chosen: string | null | undefined) =>
    chosen === undefined ? nextSurgery(surgeries.data ?? [], templateOf(templateId), clock.now) : chosen
  const form = useActionForm({
    initial: () => ({
      templateId: of.templateId ?? null,
      /** Undefined: not chosen, which is the next surgery that requires the form. */
      surgeryId: of.surgeryId,
      version: null as string | null,
      documentId: null as string | null,
      signedOn: today(clock),
      scopes: [] as PhotoScope[],
      ...noSigner,
    }),
    check: (values) => ({
      templateId: values.templateId === null ? 'Choose a consent form' : undefined,
      documentId: values.documentId === null ? 'Choose or upload the scan' : undefined,
      signedOn: values.signedOn === '' ? 'Enter the day on which it was signed' : undefined,
      scopes: templateOf(values.templateId)?.use === 'photos' && values.scopes.length === 0 ? 'Choose what was agreed to' : undefined,
      ...checkSigner(values, isMinor(patient.data?.dateOfBirth ?? null, values.signedOn || today(clock))),
    }),
    send: ({ templateId, surgeryId, version, documentId, signedOn, scopes, ...signer }) =>
      client.consentForms.recordPaper({
        contactId,
        templateId: templateId!,
        surgeryId: surgeryFor(templateId, surgeryId),
        versionNumber: Number(version ?? templateOf(templateId)?.publishedNumber),
        documentId: documentId!,
        signedOn,
        scopes: templateOf(templateId)?.use === 'photos' ? scopes : [],
        substitute: substituteOf(signer),
      }),
    done: 'Recorded as signed on paper',
    onDone() {
      onDone()
      onClose()
    },
    refusals: { ALREADY_RECORDED: 'documentId' },
  })
  const { values, problems } = form
  const template = templateOf(values.templateId)
  const newest = template?.publishedNumber ?? 1
  return (
    <ActionDialog
      title="Record paper consent"
      description="For a consent form that was signed on paper. The scan is its only evidence, so it can’t be deleted afterwards."
      form={form}
      action={{ label: 'Record as signed', busyLabel: 'Recording…', isUnready: !published || !patient.data || surgeries.isLoading }}
      onClose={onClose}
    >
      <Field
        label="Consent form"
        error={problems.templateId}
        hint={published?.length === 0 ? 'None is published yet. An administrator publishes them under Settings, Consent forms.' : undefined}
      >
        <Select
          value={values.templateId}
          onValueChange={(templateId) => form.set({ templateId, version: null, scopes: [] })}
          options={published?.map(({ id, title }) => ({ value: id, label: title.en })) ?? []}
        />
      </Field>
      {newest > 1 && (
        <Field label="Version" error={problems.versionNumber} hint="Of the text that was printed.">
          <Select
            value={values.version ?? String(newest)}
            onValueChange={(version) => form.set({ version })}
            options={Array.from({ length: newest }, (_, at) => newest - at).map((number) => ({
              value: String(number),
              label: number === newest ? `Version ${number} (current)` : `Version ${number}`,
            }))}
          />
        </Field>
      )}
      {of.surgeryId === undefined && (
        <SurgeryField
          contactId={contactId}
          value={surgeryFor(values.templateId, values.surgeryId)}
          onChange={(surgeryId) => form.set({ surgeryId })}
          error={problems.surgeryId}
          hint="The surgery that it was signed for."
        />
      )}
      <DocumentPicker
        label="Scan"
        contactId={contactId}
        type="consent"
        value={values.documentId}
        onChange={(documentId) => form.set({ documentId })}
        error={problems.documentId}
      />
      <Field label="Signed on" error={problems.signedOn}>
        <DateInput value={values.signedOn} max={today(clock)} onValueChange={(signedOn) => form.set({ signedOn })} />
      </Field>
      {template?.use === 'photos' && (
        <Field label="The patient agreed to" error={problems.scopes}>
          <div className="flex flex-col gap-2">
            {photoScopes.map((scope) => (
              <CheckboxLine
                key={scope}
                checked={values.scopes.includes(scope)}
                onCheckedChange={(isChosen) =>
                  form.set({ scopes: photoScopes.filter((one) => (one === scope ? isChosen : values.scopes.includes(one))) })
                }
              >
                {scopeLabels[scope]}
              </CheckboxLine>
            ))}
          </div>
        </Field>
      )}
      <SignerFields
        label="Signed by"
        hasToChoose={isMinor(patient.data?.dateOfBirth ?? null, values.signedOn || today(clock))}
        values={values}
        problems={problems}
        onChange={(part) => form.set(part)}
      />
    </ActionDialog>
  )
}
