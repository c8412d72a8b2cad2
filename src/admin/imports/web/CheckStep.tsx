import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { Alert } from '../../../ui/display/Alert.tsx'
import { HelpLink } from '../../../ui/display/HelpLink.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { RadioGroup } from '../../../ui/controls/RadioGroup.tsx'
import type { ImportStatus, MatchChoice } from '../contract.ts'
import type { ImportKind } from '../kind-rules.ts'
import type { StepProps } from './upload-table.ts'
import { Counts } from './Counts.tsx'
import { Findings } from './Findings.tsx'
import { MappingStep } from './MappingStep.tsx'
import { StepFrame } from './StepFrame.tsx'
import { kindLabels, formatItems } from './labels.ts'

interface Choice {
  value: MatchChoice
  label: string
  hint: string
}

const patientChoices: Choice[] = [
  { value: 'skip', label: 'Skip them', hint: 'Existing ones stay unchanged.' },
  {
    value: 'fill',
    label: 'Fill empty fields',
    hint: 'Fills empty fields and adds missing tags. Nothing is overwritten. Patients who match only by phone number and have another first name are skipped.',
  },
  { value: 'add', label: 'Add them anyway', hint: 'This may create duplicate patients.' },
]

const getChoices = (kind: ImportKind): Choice[] =>
  kind === 'patients'
    ? patientChoices
    : [
        { value: 'skip', label: 'Skip them', hint: 'Existing ones stay unchanged.' },
        { value: 'add', label: 'Add them anyway', hint: `This may create duplicate ${kindLabels[kind].many}.` },
      ]

/** The preview of an import, with the choice for existing records. */
export function CheckStep({ data, onChanged }: StepProps) {
  const [onMatch, setOnMatch] = useState<MatchChoice>(data.onMatch ?? 'skip')
  const [isMapping, setIsMapping] = useState(false)
  const run = useMutation(orpc.imports.run.mutationOptions({ onSuccess: onChanged }))
  const { kind } = data
  const { fresh, matches, duplicates, errors, unnamed } = data.checked ?? { fresh: 0, matches: 0, duplicates: 0, errors: 0 }
  const known = matches + duplicates
  const added = onMatch === 'add' ? fresh + known : fresh
  const isEmpty = added === 0 && (onMatch !== 'fill' || known === 0)

  if (isMapping) return <MappingStep data={{ ...data, status: 'mapping' satisfies ImportStatus }} onChanged={onChanged} />
  return (
    <StepFrame
      actions={
        <>
          <Button size="lg" onClick={() => setIsMapping(true)}>
            {kind === 'documents' ? 'Change columns or files' : 'Change columns'}
          </Button>
          <Button
            size="lg"
            variant="filled"
            disabled={isEmpty}
            busy={run.isPending}
            busyLabel="Importing…"
            className="max-md:flex-1"
            onClick={() => run.mutate({ id: data.id, onMatch })}
          >
            {added > 0 || onMatch !== 'fill' ? `Import ${formatItems(kind, added)}` : 'Update patients'}
          </Button>
        </>
      }
    >
      {run.isError && (
        <Alert tone="danger" title="Nothing was imported." action={<HelpLink to="import#import-a-file">How to import</HelpLink>}>
          {messageOf(run.error)}
        </Alert>
      )}
      <Counts
        title="Preview"
        counts={[
          { label: `New ${kindLabels[kind].many}`, count: fresh },
          { label: `Existing ${kindLabels[kind].many}`, count: matches },
          { label: 'Duplicates in file', count: duplicates },
          { label: 'Rows with errors', count: errors, note: errors > 0 ? 'Not imported. You can download them afterwards.' : undefined },
          ...(kind === 'documents'
            ? [{ label: 'Files without a row', count: unnamed ?? 0, note: unnamed ? 'Not imported.' : undefined }]
            : []),
        ]}
      />
      {known > 0 && (
        <Field label={`${kindLabels[kind].label} that already exist or are duplicates in this file`}>
          <RadioGroup value={onMatch} onValueChange={setOnMatch} options={getChoices(kind)} className="pt-1" />
        </Field>
      )}
      {data.newTags.length > 0 && (
        <p className="text-sm text-fg-2">
          {data.newTags.length === 1 ? 'This tag will be created: ' : 'These tags will be created: '}
          {data.newTags.slice(0, 20).join(', ')}
          {data.newTags.length > 20 ? ` and ${data.newTags.length - 20} more` : ''}.
        </p>
      )}
      <Findings id={data.id} counts={{ error: errors, match: matches, duplicate: duplicates, unnamed: unnamed ?? 0 }} />
    </StepFrame>
  )
}
