package pass_test
