import { useNavigate, useSearch } from '@tanstack/react-router'
import { ExportMenu } from '../../../../ui/display/ExportMenu.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { Section } from '../../../../ui/display/Section.tsx'
import { AuditList } from '../AuditList.tsx'
import { type AuditSearch, toFilters } from '../audit-search.ts'
import { AuditToolbar } from '../AuditToolbar.tsx'

const EntryDrawer = lazyDialog(
  () => import('../EntryDrawer.tsx'),
  ({ onClose }) => onClose(),
)

/** The audit log with filters and export, newest entries first. */
export function AuditLog() {
  const search = useSearch({ from: '/staff/settings/$section' })
  const navigate = useNavigate({ from: '/settings/$section' })
  const change = (part: AuditSearch, replace = false) =>
    void navigate({ to: '/settings/$section', params: { section: 'audit-log' }, search: (before) => ({ ...before, ...part }), replace })
  return (
    <Section
      id="audit-log"
      title="Audit log"
      className="max-w-280"
      actions={<ExportMenu address="/api/audit" filters={toFilters(search)} />}
    >
      <p className="max-w-[60ch] pt-3 pb-4 text-sm text-fg-2">
        Who viewed or changed which patient’s data. Entries cannot be changed or deleted. Views of this log are logged too.
      </p>
      <AuditToolbar search={search} onChange={change} />
      <AuditList search={search} onChange={change} onOpen={(entry) => change({ entry })} />
      {search.entry !== undefined && <EntryDrawer id={search.entry} onClose={() => change({ entry: undefined }, true)} />}
    </Section>
  )
}
