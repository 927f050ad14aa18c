experimnt "e" {}
