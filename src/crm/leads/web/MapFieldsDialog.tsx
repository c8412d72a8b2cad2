import { useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { client, orpc } from '../../../ui/client/api.ts'
import { cn } from '../../../ui/cn.ts'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { formatCount } from '../../../ui/format.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Asked } from '../../../ui/display/Section.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { type FieldMap, type MappableField, mappableFields } from '../../lead-sources/rules.ts'
import { mappableLabels } from './mappable-labels.ts'
import { ReceivedFields } from './ReceivedFields.tsx'

interface MapFieldsDialogProps {
  source: { id: string; name: string }
  /** The number of waiting leads of this source. */
  waiting: number
  onMapped?: (queued: number) => void
  onClose: () => void
}

/** Edits the field mapping of a source. Saving it processes the source's waiting leads. */
export default function MapFieldsDialog({ source, waiting, onMapped, onClose }: MapFieldsDialogProps) {
  const cache = useQueryClient()
  const fields = useQuery(orpc.leads.fields.queryOptions({ input: { sourceId: source.id }, staleTime: 0 }))
  const [chosen, setActive] = useState<MappableField | null>(null)
  const mapOf = (changed: FieldMap | null) => changed ?? fields.data?.fieldMap ?? {}
  const form = useActionForm({
    initial: { changed: null as FieldMap | null },
    check: () => ({ form: fields.data ? undefined : 'The fields have not loaded yet' }),
    send: ({ changed }) => client.leads.mapFields({ sourceId: source.id, fieldMap: mapOf(changed) }),
    done({ queued }) {
      onMapped?.(queued)
      return 'Mapping saved'
    },
    onDone() {
      for (const part of [orpc.leads, orpc.leadSources]) void cache.invalidateQueries({ queryKey: part.key() })
      onClose()
    },
  })
  const map = mapOf(form.values.changed)
  const active = chosen ?? nextField(map)
  const problems = Object.values(form.problems)

  function change(next: FieldMap, then: MappableField | null) {
    form.set({ changed: next })
    setActive(then)
  }
  const clear = (field: MappableField) => change(Object.fromEntries(Object.entries(map).filter(([name]) => name !== field)), field)

  return (
    <ActionDialog
      size="viewer"
      title={`Map fields of ${source.name}`}
      description="Choose a patient field, then click the received field that contains it. The mapping also applies to later leads."
      form={{ ...form, problems: problems.length === 0 ? {} : { form: problems.join('. ') } }}
      action={{
        label:
          waiting === 0 ? 'Save mapping' : waiting === 1 ? 'Save and process 1 lead' : `Save and process ${formatCount(waiting)} leads`,
      }}
      onClose={onClose}
    >
      <Asked query={fields} failed="Couldn't load the fields">
        {({ received }) => (
          <div className="grid gap-6 md:grid-cols-2">
            <ReceivedFields
              title="Received, with an example"
              received={received}
              action={`Use for ${mappableLabels[active]}`}
              isUsed={({ name }) => Object.values(map).includes(name)}
              onChoose={({ name }) => {
                const next = { ...map, [active]: name }
                change(next, nextField(next))
              }}
            />
            <section aria-label="Patient fields" className="min-w-0">
              <h3 className="pb-1.5 text-sm font-medium text-fg">Patient fields</h3>
              <ul className="-mx-2">
                {mappableFields.map((field) => (
                  <li key={field} className={cn('flex items-center rounded-sm', active === field && 'bg-selected')}>
                    <button
                      type="button"
                      aria-pressed={active === field}
                      onClick={() => setActive(field)}
                      className="flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-sm px-2 py-1 text-left text-sm hover:bg-hover"
                    >
                      <span className="w-24 flex-none text-fg-2">{mappableLabels[field]}</span>
                      <span className={cn('min-w-0 flex-1 truncate', map[field] ? 'font-medium text-fg' : 'text-fg-3')}>
                        {map[field] ?? (active === field ? 'Click a received field' : 'Not mapped')}
                      </span>
                    </button>
                    {map[field] && <IconButton label={`Clear ${mappableLabels[field]}`} icon={<X />} onClick={() => clear(field)} />}
                  </li>
                ))}
              </ul>
              <p className="pt-3 text-sm text-fg-3">
                A full name is split into first and last name. Fields that arrive under their standard names, such as first_name, last_name
                and email, don’t need mapping. If you map one, the field you choose is used first, and the standard name if it is empty.
              </p>
            </section>
          </div>
        )}
      </Asked>
    </ActionDialog>
  )
}

/** The first unmapped field that a patient needs. A full name counts as first and last name. */
function nextField(map: FieldMap): MappableField {
  const isNamed = map.fullName !== undefined || (map.firstName !== undefined && map.lastName !== undefined)
  if (!isNamed) return map.firstName === undefined ? (map.lastName === undefined ? 'fullName' : 'firstName') : 'lastName'
  return (['email', 'phone', 'procedure'] as const).find((field) => map[field] === undefined) ?? 'source'
}
