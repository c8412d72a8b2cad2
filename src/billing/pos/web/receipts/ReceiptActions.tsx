import { Ellipsis, ExternalLink, Mail, Printer, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { PdfLanguageItems } from '../../../../ui/overlays/PdfLanguageItems.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { useQuickBooks } from '../../../quickbooks/web/embed/useQuickBooks.ts'
import type { ReceiptDetails } from './receipt-data.ts'
import { isRefundable } from './refund/refund.ts'

const RefundDialog = lazyDialog(
  () => import('./refund/RefundDialog.tsx'),
  ({ onClose }) => onClose(),
)

const EmailReceiptDialog = lazyDialog(
  () => import('./EmailReceiptDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** Actions on a receipt. */
export function ReceiptActions({ receipt }: { receipt: ReceiptDetails }) {
  const { quickBooksUrl } = useQuickBooks().data ?? { quickBooksUrl: null }
  const may = usePermission()
  const [isRefunding, setRefunding] = useState(false)
  const [isMailing, setMailing] = useState(false)
  return (
    <>
      <Button asChild icon={<Printer />}>
        <a href={`/api/pos/receipts/${receipt.id}.pdf`} target="_blank" rel="noopener noreferrer">
          <span>
            Print<span className="max-md:sr-only"> or save</span>
          </span>
        </a>
      </Button>
      {receipt.state === 'complete' && (
        <Button icon={<Mail />} onClick={() => setMailing(true)}>
          Email…
        </Button>
      )}
      {may('pos.refund') && isRefundable(receipt) && (
        <Button icon={<Undo2 />} onClick={() => setRefunding(true)}>
          Refund…
        </Button>
      )}
      <DropdownMenu trigger={<IconButton label="More about this receipt" icon={<Ellipsis />} variant="outlined" />}>
        {quickBooksUrl && receipt.qbId && (
          <MenuItem asChild>
            <a href={addressIn(quickBooksUrl, receipt.kind, receipt.qbId)} target="_blank" rel="noopener noreferrer">
              <ExternalLink />
              Open in QuickBooks
            </a>
          </MenuItem>
        )}
        <PdfLanguageItems href={`/api/pos/receipts/${receipt.id}.pdf`} />
      </DropdownMenu>
      {isMailing && <EmailReceiptDialog receipt={receipt} onClose={() => setMailing(false)} />}
      {isRefunding && <RefundDialog receipt={receipt} onClose={() => setRefunding(false)} />}
    </>
  )
}

const addressIn = (quickBooksUrl: string, kind: ReceiptDetails['kind'], qbId: string): string =>
  `${quickBooksUrl}/app/${kind === 'refund' ? 'refundreceipt' : 'salesreceipt'}?txnId=${encodeURIComponent(qbId)}`
