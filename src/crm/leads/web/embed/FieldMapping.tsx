import { TableProperties } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { type FieldMap, mappableFields } from '../../../lead-sources/rules.ts'
import { mappableLabels } from '../mappable-labels.ts'
import { useQueueCounts } from './useQueueCounts.ts'

const MapFieldsDialog = lazyDialog(
  () => import('../MapFieldsDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** The field mapping of a source, with a button to edit it. */
export function FieldMapping({ source }: { source: { id: string; name: string; fieldMap: FieldMap } }) {
  const [isOpen, setOpen] = useState(false)
  const waiting = useQueueCounts()?.sources.find(({ id }) => id === source.id)?.waiting ?? 0
  const mapped = mappableFields.flatMap((field) => (source.fieldMap[field] === undefined ? [] : [[field, source.fieldMap[field]] as const]))
  if (!usePermission()('leads.mapFields')) return null
  return (
    <section aria-labelledby="lead-fields">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-2 border-b border-line pb-3">
        <h3 id="lead-fields" className="text-title font-semibold text-fg">
          Field mapping
        </h3>
        <Button icon={<TableProperties />} onPointerEnter={MapFieldsDialog.prepare} onClick={() => setOpen(true)}>
          Map fields
        </Button>
      </div>
      {mapped.length === 0 ? (
        <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
          Fields are recognized by their names and labels. Map them if leads from this source arrive without a name or email.
        </p>
      ) : (
        <dl className="grid grid-cols-[7.25rem_minmax(0,1fr)] gap-y-2 pt-3 text-sm">
          {mapped.map(([field, name]) => (
            <div key={field} className="contents">
              <dt className="text-fg-2">{mappableLabels[field]}</dt>
              <dd className="wrap-anywhere text-fg">{name}</dd>
            </div>
          ))}
        </dl>
      )}
      {isOpen && <MapFieldsDialog source={source} waiting={waiting} onClose={() => setOpen(false)} />}
    </section>
  )
}
