import { translations } from '../../../shared/translations.ts'

/** The page on which anyone verifies a sealed PDF. */
export const en = {
  title: 'Verify a document',
  intro: 'Check that a PDF from {{practice}} has not been changed since it was sealed. The file is checked and not stored.',
  drop: 'Choose a PDF, or drop it here',
  dropAnother: 'Choose another PDF, or drop it here',
  limit: 'One file, up to 25 MB',
  checking: 'Checking the document…',
  file: 'File',
  verdicts: {
    valid: 'This document has not been changed',
    'unknown-certificate': 'This document was not sealed by {{practice}}',
    altered: 'This document was altered',
    'not-sealed': 'This document has no seal',
  },
  explanations: {
    valid:
      'It is exactly as {{practice}} sealed it. The seal does not show whether it still applies: a consent, for example, may have been withdrawn since.',
    'unknown-certificate':
      'It has not been changed since it was sealed, but its certificate does not belong to this practice. Do not rely on the name in it.',
    'not-sealed': 'It was not sealed by {{practice}}, or was printed or converted to a new file since. Ask for the original file.',
  },
  problems: {
    content: 'Part of the document differs from what was sealed.',
    damaged: 'The seal itself is damaged.',
    timestamp: 'The time-stamp in the seal is damaged.',
    cut: 'The end of the file is missing.',
    appended: 'Something was added to the file after it was sealed.',
  },
  askForOriginal: 'Do not rely on it. Ask for the original file.',
  sealedBy: 'Sealed by',
  sealedAt: 'Sealed on',
  timestamp: 'Time-stamp',
  confirmedBy: '{{at}}, confirmed by {{authority}}',
  unknownAuthority: '{{at}}, by {{authority}}, which this practice does not use',
  noTimestamp: 'None. The time comes from the practice’s own clock.',
  fingerprint: 'Certificate (SHA-256)',
  failures: {
    TOO_MANY_REQUESTS: 'Too many files. Try again in 15 minutes.',
    BODY_TOO_LARGE: 'The file is larger than 25 MB.',
    FILE_TYPE: 'This file is not a PDF. Choose a PDF file.',
    FILE_COUNT: 'Only one file can be checked at a time. Choose one PDF file.',
    BUSY: 'Other files are being verified. Try again in a minute.',
    OTHER: 'The file could not be sent. Check your connection and try again.',
  },
} as const

export const fr = {
  title: 'Vérifier un document',
  intro:
    'Vérifiez qu’un PDF de {{practice}} n’a pas été modifié depuis qu’il a été scellé. Le fichier est vérifié, puis il n’est pas conservé.',
  drop: 'Choisissez un PDF ou déposez-le ici',
  dropAnother: 'Choisissez un autre PDF ou déposez-le ici',
  limit: 'Un seul fichier, d’au plus 25 Mo',
  checking: 'Vérification du document…',
  file: 'Fichier',
  verdicts: {
    valid: 'Ce document n’a pas été modifié',
    'unknown-certificate': 'Ce document n’a pas été scellé par {{practice}}',
    altered: 'Ce document a été modifié',
    'not-sealed': 'Ce document ne porte aucun sceau',
  },
  explanations: {
    valid:
      'Il est exactement tel que {{practice}} l’a scellé. Le sceau n’indique pas s’il s’applique toujours : un consentement, par exemple, peut avoir été retiré depuis.',
    'unknown-certificate':
      'Il n’a pas été modifié depuis qu’il a été scellé, mais le certificat n’est pas celui de cette clinique. Ne vous fiez pas au nom indiqué.',
    'not-sealed':
      'Il n’a pas été scellé par {{practice}}, ou il a été imprimé ou converti en un nouveau fichier depuis. Demandez le fichier original.',
  },
  problems: {
    content: 'Une partie du document diffère de ce qui a été scellé.',
    damaged: 'Le sceau lui-même est endommagé.',
    timestamp: 'L’horodatage du sceau est endommagé.',
    cut: 'La fin du fichier est manquante.',
    appended: 'Un élément a été ajouté au fichier après qu’il a été scellé.',
  },
  askForOriginal: 'Ne vous y fiez pas. Demandez le fichier original.',
  sealedBy: 'Scellé par',
  sealedAt: 'Scellé le',
  timestamp: 'Horodatage',
  confirmedBy: '{{at}}, confirmé par {{authority}}',
  unknownAuthority: '{{at}}, par {{authority}}, que cette clinique n’utilise pas',
  noTimestamp: 'Aucun. L’heure est celle de l’horloge de la clinique.',
  fingerprint: 'Certificat (SHA-256)',
  failures: {
    TOO_MANY_REQUESTS: 'Trop de fichiers. Réessayez dans 15 minutes.',
    BODY_TOO_LARGE: 'Le fichier dépasse 25 Mo.',
    FILE_TYPE: 'Ce fichier n’est pas un PDF. Choisissez un fichier PDF.',
    FILE_COUNT: 'Un seul fichier peut être vérifié à la fois. Choisissez un fichier PDF.',
    BUSY: 'D’autres fichiers sont en cours de vérification. Réessayez dans une minute.',
    OTHER: 'Le fichier n’a pas pu être envoyé. Vérifiez votre connexion et réessayez.',
  },
}

export const verifyTexts = translations(en, fr)
