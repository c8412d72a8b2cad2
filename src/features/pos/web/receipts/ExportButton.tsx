import { Download } from 'lucide-react'
import { saveLinked } from '../../../../web/save-file.ts'
import { useClock } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { today } from '../../../../web/ui/format.ts'
import { useMay } from '../../../../web/useMay.ts'
import { exportAddress, filtersOf, type ReceiptsSearch } from './receipts-search.ts'

/** The receipts of the list as a file. */
export function ExportButton({ search }: { search: ReceiptsSearch }) {
  const clock = useClock()
  if (!useMay()('pos.export')) return null
  return (
    <Button asChild icon={<Download />}>
      <a href={exportAddress(filtersOf(search, today(clock)))} download onClick={saveLinked}>
        Export CSV
      </a>
    </Button>
  )
}
