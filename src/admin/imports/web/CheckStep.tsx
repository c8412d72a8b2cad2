import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { RadioGroup } from '../../../ui/controls/RadioGroup.tsx'
import type { ImportStatus, MatchChoice } from '../contract.ts'
import type { ImportKind } from '../kind-rules.ts'
import type { StepProps } from './calls.ts'
import { Counts } from './Counts.tsx'
import { Findings } from './Findings.tsx'
import { MappingStep } from './MappingStep.tsx'
import { StepFrame } from './StepFrame.tsx'
import { kindWords, things } from './labels.ts'

interface Choice {
  value: MatchChoice
  label: string
  hint: string
}

const patientChoices: Choice[] = [
  { value: 'skip', label: 'Skip them', hint: 'They stay as they are.' },
  {
    value: 'fill',
    label: 'Fill empty fields',
    hint: 'Empty fields and missing tags are filled in; nothing is overwritten. Who shares only the phone number, under another first name, is skipped.',
  },
  { value: 'add', label: 'Add them anyway', hint: 'The same person may then be there twice.' },
]

const choicesOf = (kind: ImportKind): Choice[] =>
  kind === 'patients'
    ? patientChoices
    : [
        { value: 'skip', label: 'Skip them', hint: 'They stay as they are.' },
        { value: 'add', label: 'Add them anyway', hint: `The same ${kindWords[kind].one} may then be there twice.` },
      ]

/** What would happen, and what is to be done with what is there already. */
export function CheckStep({ data, onChanged }: StepProps) {
  const [onMatch, setOnMatch] = useState<MatchChoice>(data.onMatch ?? 'skip')
  const [mapping, setMapping] = useState(false)
  const run = useMutation(orpc.imports.run.mutationOptions({ onSuccess: onChanged }))
  const { kind } = data
  const { fresh, matches, duplicates, errors, unnamed } = data.checked ?? { fresh: 0, matches: 0, duplicates: 0, errors: 0 }
  const known = matches + duplicates
  const added = onMatch === 'add' ? fresh + known : fresh
  const nothing = added === 0 && (onMatch !== 'fill' || known === 0)

  if (mapping) return <MappingStep data={{ ...data, status: 'mapping' satisfies ImportStatus }} onChanged={onChanged} />
  return (
    <StepFrame
      actions={
        <>
          <Button size="lg" onClick={() => setMapping(true)}>
            {kind === 'documents' ? 'Change columns or files' : 'Change columns'}
          </Button>
          <Button
            size="lg"
            variant="filled"
            disabled={nothing}
            busy={run.isPending}
            busyLabel="Importing…"
            className="max-md:flex-1"
            onClick={() => run.mutate({ id: data.id, onMatch })}
          >
            {added > 0 || onMatch !== 'fill' ? `Import ${things(kind, added)}` : 'Fill in patients'}
          </Button>
        </>
      }
    >
      {run.isError && (
        <Alert tone="danger" title="Nothing was imported.">
          {messageOf(run.error)}
        </Alert>
      )}
      <Counts
        title="Preview"
        counts={[
          { label: `New ${kindWords[kind].many}`, count: fresh },
          { label: `${kindWords[kind].label} you have already`, count: matches },
          { label: 'Duplicates in file', count: duplicates },
          { label: 'Rows with errors', count: errors, note: errors > 0 ? 'Left out; you get them back as a file.' : undefined },
          ...(kind === 'documents'
            ? [{ label: 'Files that no row names', count: unnamed ?? 0, note: unnamed ? 'Left out.' : undefined }]
            : []),
        ]}
      />
      {known > 0 && (
        <Field label={`${kindWords[kind].label} that are there already, or are in this file twice`}>
          <RadioGroup value={onMatch} onValueChange={setOnMatch} options={choicesOf(kind)} className="pt-1" />
        </Field>
      )}
      {data.newTags.length > 0 && (
        <p className="text-sm text-fg-2">
          {data.newTags.length === 1 ? 'This tag is new and will be made: ' : 'These tags are new and will be made: '}
          {data.newTags.slice(0, 20).join(', ')}
          {data.newTags.length > 20 ? ` and ${data.newTags.length - 20} more` : ''}.
        </p>
      )}
      <Findings id={data.id} counts={{ error: errors, match: matches, duplicate: duplicates, unnamed: unnamed ?? 0 }} />
    </StepFrame>
  )
}
