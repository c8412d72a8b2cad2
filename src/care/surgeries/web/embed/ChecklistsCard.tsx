import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ListChecks, Plus } from 'lucide-react'
import { useState } from 'react'
import { useDirectory } from '../../../../crm/contacts/web/embed/useDirectory.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { OpenRow } from '../../../../ui/display/OpenRow.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import type { Template } from '../../checklist-contract.ts'
import { roleNames } from '../../../../kernel/access/rules.ts'
import { formatDueDate } from '../labels.ts'

const TemplateDialog = lazyDialog(
  () => import('../checklist/TemplateDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** The checklist templates, visible to users who see surgeries and editable by administrators. */
export function ChecklistsCard() {
  const may = usePermission()
  return may('surgeries.templates') ? <Checklists mayChange={may('surgeries.addTemplate')} /> : null
}

function Checklists({ mayChange }: { mayChange: boolean }) {
  const cache = useQueryClient()
  const templates = useQuery(orpc.surgeries.templates.queryOptions())
  const { procedures } = useDirectory()
  useLive(['vocabulary'], () => void cache.invalidateQueries({ queryKey: orpc.surgeries.templates.key() }), { debounceMs: 300 })
  /** 'new' for a new template. */
  const [open, setOpen] = useState<Template | 'new' | null>(null)
  const groups = [...Map.groupBy(templates.data ?? [], ({ procedureId }) => procedureId)]
    .map(([id, items]) => ({ id, items, name: id === null ? 'Every surgery' : (procedures.find((one) => one.id === id)?.name ?? '') }))
    .toSorted((a, b) => Number(b.id === null) - Number(a.id === null) || a.name.localeCompare(b.name))
  const add = mayChange && (
    <Button icon={<Plus />} onPointerEnter={TemplateDialog.prepare} onClick={() => setOpen('new')}>
      Add item
    </Button>
  )
  return (
    <Section id="checklists" title="Surgery checklists" actions={groups.length > 0 && add}>
      <Asked query={templates} failed="Couldn’t load the checklists">
        {() =>
          groups.length > 0 ? (
            <>
              <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
                The checklist of a new surgery. Booked surgeries keep theirs.{!mayChange && ' Administrators can change it.'}
              </p>
              {groups.map(({ id, items, name }) => (
                <section key={id} aria-label={name} className="pt-5">
                  <h3 className="pb-1 text-title font-semibold text-fg">{name}</h3>
                  <ul className="-mx-2">
                    {items.map((template) => (
                      <li key={template.id}>
                        {mayChange ? (
                          <OpenRow
                            onPointerEnter={TemplateDialog.prepare}
                            onFocus={TemplateDialog.prepare}
                            onClick={() => setOpen(template)}
                          >
                            <span className="flex min-w-0 flex-1 flex-col">
                              <TemplateLine template={template} />
                            </span>
                          </OpenRow>
                        ) : (
                          <div className="flex min-h-11 flex-col justify-center px-2 py-1.5">
                            <TemplateLine template={template} />
                          </div>
                        )}
                      </li>
                    ))}
                  </ul>
                </section>
              ))}
            </>
          ) : (
            <EmptyState icon={<ListChecks />} title="No checklist items yet" actions={add || undefined}>
              Add what has to be done before and after every surgery, or those with a procedure.
              {!mayChange && ' Administrators can add items.'}
            </EmptyState>
          )
        }
      </Asked>
      {open && <TemplateDialog template={open === 'new' ? null : open} procedures={procedures} onClose={() => setOpen(null)} />}
    </Section>
  )
}

function TemplateLine({ template: { words, ownerRole, dueDays, isRequired } }: { template: Template }) {
  return (
    <>
      <span className="text-md font-medium text-fg">
        {words}
        {!isRequired && <span className="font-regular text-fg-3"> (optional)</span>}
      </span>
      <span className="text-sm text-fg-3 tabular-nums">
        {roleNames[ownerRole]} · {formatDueDate(dueDays)}
      </span>
    </>
  )
}
