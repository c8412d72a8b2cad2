import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'

export const EntryDialog = lazyDialog(
  () => import('../EntryDialog.tsx'),
  ({ onClose }) => onClose(),
)
export const OfferDialog = lazyDialog(
  () => import('../OfferDialog.tsx'),
  ({ onClose }) => onClose(),
)
export const GapDialog = lazyDialog(
  () => import('../GapDialog.tsx'),
  ({ onClose }) => onClose(),
)
