/** S3's errors: code, status and message (docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html). */
const refusals = {
  AccessDenied: [403, 'Access Denied'],
  EntityTooSmall: [400, 'Your proposed upload is smaller than the minimum allowed size'],
  InvalidAccessKeyId: [403, 'The AWS Access Key Id you provided does not exist in our records.'],
  InvalidArgument: [400, 'Invalid Argument'],
  InvalidPart: [
    400,
    "One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part's entity tag.",
  ],
  InvalidPartOrder: [400, 'The list of parts was not in ascending order. Parts must be ordered by part number.'],
  InvalidRange: [416, 'The requested range is not satisfiable'],
  MalformedXML: [400, 'The XML you provided was not well-formed or did not validate against our published schema'],
  NoSuchBucket: [404, 'The specified bucket does not exist'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NoSuchUpload: [
    404,
    'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
  ],
  NotImplemented: [501, 'A header you provided implies functionality that is not implemented'],
  SignatureDoesNotMatch: [
    403,
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  ],
  XAmzContentSHA256Mismatch: [400, "The provided 'x-amz-content-sha256' header does not match what was computed."],
} as const

export class Refusal extends Error {
  readonly code: keyof typeof refusals
  readonly status: number

  constructor(code: keyof typeof refusals) {
    super(refusals[code][1])
    this.code = code
    this.status = refusals[code][0]
  }
}
