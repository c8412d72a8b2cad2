import { useNavigate, useSearch } from '@tanstack/react-router'
import { ExportMenu } from '../../../../ui/display/ExportMenu.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { Section } from '../../../../ui/display/Section.tsx'
import { AuditList } from '../AuditList.tsx'
import { type AuditSearch, filtersOf } from '../audit-search.ts'
import { AuditToolbar } from '../AuditToolbar.tsx'

const EntryDrawer = lazyDialog(
  () => import('../EntryDrawer.tsx'),
  ({ onClose }) => onClose(),
)

/** Who saw or changed what of whom, newest first. */
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
      actions={<ExportMenu address="/api/audit" filters={filtersOf(search)} />}
    >
      <p className="max-w-[60ch] pt-3 pb-4 text-sm text-fg-2">
        Who saw or changed what of whom. Entries are only ever added: no one changes or deletes them here. Views are logged too.
      </p>
      <AuditToolbar search={search} onChange={change} />
      <AuditList search={search} onChange={change} onOpen={(entry) => change({ entry })} />
      {search.entry !== undefined && <EntryDrawer id={search.entry} onClose={() => change({ entry: undefined }, true)} />}
    </Section>
  )
}
