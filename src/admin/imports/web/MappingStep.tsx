import { ORPCError } from '@orpc/client'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { RadioGroup } from '../../../ui/controls/RadioGroup.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import type { ColumnChoice } from '../contract.ts'
import type { ImportKind } from '../kind-rules.ts'
import { columnRules } from '../rules.ts'
import type { ImportColumnData, StepProps } from './upload-table.ts'
import { fieldOptions } from './fields.ts'
import { FilesPanel } from './FilesPanel.tsx'
import { useFileUploads } from './file-uploads.ts'
import { StepFrame } from './StepFrame.tsx'
import { formatRows } from './labels.ts'

/** Maps each column of the file to a field, starting from a guess. */
export function MappingStep({ data, onChanged }: StepProps) {
  const navigate = useNavigate()
  const [columns, setColumns] = useState<ColumnChoice[]>(() => data.columns.map(({ field, dateOrder }) => ({ field, dateOrder })))
  const check = useMutation(orpc.imports.check.mutationOptions({ onSuccess: onChanged }))
  const discard = useMutation(
    orpc.imports.discard.mutationOptions({
      onSuccess: () => void navigate({ to: '/contacts/import', search: { what: data.kind === 'patients' ? undefined : data.kind } }),
      onError: (error) => toast.error('The file was not discarded', messageOf(error)),
    }),
  )
  const problems = getProblems(check.error)
  const fields = useMemo(() => fieldOptions(data.kind), [data.kind])
  const { isBusy } = useFileUploads(data.id)
  const set = (at: number, change: Partial<ColumnChoice>) =>
    setColumns(columns.map((column, i) => (i === at ? { ...column, ...change } : column)))

  return (
    <StepFrame
      actions={
        <>
          <Button size="lg" busy={discard.isPending} onClick={() => discard.mutate({ id: data.id })}>
            Discard file
          </Button>
          <Button
            size="lg"
            variant="filled"
            busy={check.isPending}
            busyLabel="Checking…"
            disabled={isBusy}
            className="max-md:flex-1"
            onClick={() => check.mutate({ id: data.id, columns })}
          >
            Check {formatRows(data.rows)}
          </Button>
        </>
      }
    >
      {data.kind === 'documents' && <FilesPanel id={data.id} tableName={data.fileName} />}
      <div>
        <h2 className="text-md font-semibold">Map columns</h2>
        <p className="max-w-140 pt-1 text-sm text-fg-2">
          Guessed from the headers, or as you chose for a similar file before. Columns that are not mapped are not imported. The next step
          shows a preview; nothing is imported yet.
        </p>
      </div>
      {check.isError && (
        <Alert tone="danger" title={problems.columns ?? 'Please check the marked columns.'}>
          {Object.keys(problems).length === 0 ? messageOf(check.error) : null}
        </Alert>
      )}
      <ul aria-label="Columns" className="border-t border-line">
        {data.columns.map((column, at) => (
          // oxlint-disable-next-line no-array-index-key -- a file's columns never reorder, and two may have the same header
          <li key={at} className="grid gap-x-6 gap-y-2 border-b border-line py-3 md:grid-cols-[minmax(0,1fr)_18rem] md:items-start">
            <ColumnSummary column={column} />
            <div className="flex flex-col gap-3">
              <Field label={`Field for “${column.header}”`} hideLabel error={problems[`columns.${at}.field`]}>
                <Select
                  value={columns[at]?.field ?? null}
                  onValueChange={(field) => set(at, { field })}
                  options={fields}
                  noneLabel="Not imported"
                />
              </Field>
              {needsDateOrder(data.kind, column, columns[at]) && (
                <Field label={`Order of day and month in ${findSampleDate(column)}`} error={problems[`columns.${at}.dateOrder`]}>
                  <RadioGroup
                    value={columns[at]?.dateOrder ?? null}
                    onValueChange={(dateOrder) => set(at, { dateOrder })}
                    options={[
                      { value: 'mdy', label: 'Month first' },
                      { value: 'dmy', label: 'Day first' },
                    ]}
                  />
                </Field>
              )}
            </div>
          </li>
        ))}
      </ul>
    </StepFrame>
  )
}

function ColumnSummary({ column }: { column: ImportColumnData }) {
  return (
    <div className="min-w-0 md:pt-1.5">
      <p className="truncate text-sm font-medium">{column.header}</p>
      <p className="truncate text-xs text-fg-3">{column.samples.length > 0 ? column.samples.join(' · ') : 'Empty'}</p>
    </div>
  )
}

const needsDateOrder = (kind: ImportKind, column: ImportColumnData, chosen: ColumnChoice | undefined): boolean =>
  column.dates === 'either' && chosen !== undefined && chosen.field !== null && columnRules[kind].dates.includes(chosen.field)

/** A sample of the column that can be read both ways. */
const findSampleDate = ({ samples }: ImportColumnData) => samples.find((sample) => /^\d{1,2}[/.-]\d{1,2}[/.-]/.test(sample)) ?? 'a date'

/** The server's validation errors by field path. */
function getProblems(error: unknown): Record<string, string> {
  if (!(error instanceof ORPCError) || error.code !== 'INVALID_MAPPING') return {}
  return (error.data as { fields: Record<string, string> }).fields
}
